/**
 * The crawler gate (spec 'What the service does' 6): unidentified crawlers and AI agents are refused, integrations never. The list is
 * the npm package crawler-user-agents (MIT), of which only what is a crawler for certain is taken, and ai-agents.ts.
 */
import published from 'crawler-user-agents'
import { ApiError } from '../errors.ts'
import { aiAgentNames, crawlerNames } from './ai-agents.ts'

/** Kinds of the list that crawl by their nature. */
const crawlingTags: ReadonlySet<string> = new Set(['ai-crawler', 'search-engine', 'archiver', 'academic'])
/** Of the others, services that an agency may well use itself, only those that call themselves crawlers. */
const servingTags: ReadonlySet<string> = new Set([
  'seo',
  'advertising',
  'scanner',
  'social-preview',
  'feed-reader',
])
const callsItselfCrawler = /bot|crawl|spider|slurp|scrap/i
/** Generic words that would match honest products; real crawlers of these names also say bot or crawler. */
const shortestPattern = 5

/** What stands further back in a name is not looked at: no known crawler's does, and whoever wants to hide sends another name. */
const judgedCharacters = 1_024

type CrawlerGate = (userAgent: string | undefined, hasKey: boolean) => void

/**
 * Makes the gate.
 * @param lists the operator's own: parts of names, in any case. What it allows passes whatever else matches
 * @returns a check that throws ApiError `forbidden`
 */
export function crawlerGate(lists: { allow: readonly string[]; deny: readonly string[] }): CrawlerGate {
  const allow = lists.allow.map((part) => part.toLowerCase())
  const deny = lists.deny.map((part) => part.toLowerCase())

  const isCrawler = (userAgent: string): boolean => {
    const name = userAgent.toLowerCase()
    if (allow.some((part) => name.includes(part))) return false
    if (deny.some((part) => name.includes(part))) return true
    const judged = userAgent.slice(0, judgedCharacters)
    return listed.test(judged) || named.test(judged)
  }

  return (userAgent, hasKey) => {
    if (userAgent === undefined || userAgent.trim() === '') {
      if (hasKey) return
      throw refused('Send a User-Agent with the name, version and contact of your integration')
    }
    if (isCrawler(userAgent))
      throw refused(
        'Crawlers and AI agents are not admitted. If this is an integration, send a User-Agent with its name, version and contact',
      )
  }
}

function refused(what: string): ApiError {
  return new ApiError('forbidden', {
    message: `${what}, such as AcmeCRM/2.3 (+https://acme.example; dev@acme.example).`,
  })
}

/** A name is whole words: `Robotics` is no `bot`, `FluidCRM` no `Fluid`. */
const wordStart = '(?<![A-Za-z0-9])'
const wordEnd = '(?![a-z]|[A-Z]{2})'

/** The package's types do not know its tags yet. */
const crawlers: readonly { pattern: string; tags?: readonly string[] }[] = published

/** Of the published list, what is a crawler for certain: regular expressions for a name's beginning, or with `^` for the whole's. */
export const crawlerPatterns: readonly string[] = crawlers
  .filter(({ tags = [], pattern }) => {
    if (pattern.length < shortestPattern) return false
    if (tags.some((tag) => crawlingTags.has(tag))) return true
    return tags.some((tag) => servingTags.has(tag)) && callsItselfCrawler.test(pattern)
  })
  .map(({ pattern }) => pattern)

const listed = anyOf(crawlerPatterns)

/**
 * One expression for all. Alternatives with the same word boundaries share them and are sorted: the engine then tells most of them
 * apart by a character or two, instead of trying hundreds at each place of the text.
 */
function anyOf(patterns: readonly string[]): RegExp {
  const groups = new Map<string, string[]>()
  for (const pattern of patterns) {
    const start = pattern.startsWith('^') ? '' : wordStart
    const end = /[A-Za-z]$/.test(pattern) ? wordEnd : ''
    const name = `${start}(?:…)${end}`
    groups.set(name, [...(groups.get(name) ?? []), pattern])
  }
  return new RegExp(
    [...groups].map(([name, members]) => name.replace('…', () => members.sort().join('|'))).join('|'),
  )
}

/** Every AI agent known by name, as robots.txt names them: those of the published list too, where their pattern is one. */
export function aiAgents(): string[] {
  const listedNames = crawlers
    .filter(({ tags = [] }) => tags.includes('ai-crawler'))
    .map(({ pattern }) => pattern.replaceAll(/\\([/.])/g, '$1').replace(/\/$/, ''))
    .filter((name) => /^[\w .-]+$/.test(name))
  const names = new Map([...aiAgentNames, ...listedNames].map((name) => [name.toLowerCase(), name]))
  return [...names.values()].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
}

const named = new RegExp(
  `${wordStart}(?:${[...aiAgentNames, ...crawlerNames].map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')})(?![A-Za-z0-9])`,
  'i',
)
