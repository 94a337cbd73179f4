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

const rememberedNames = 2_000

export type CrawlerGate = (userAgent: string | undefined, hasKey: boolean) => void

/**
 * Makes the gate.
 * @param lists the operator's own: parts of names, in any case. What it allows passes whatever else matches
 * @returns a check that throws ApiError `forbidden`
 */
export function crawlerGate(lists: { allow: readonly string[]; deny: readonly string[] }): CrawlerGate {
  const allow = lists.allow.map((part) => part.toLowerCase())
  const deny = lists.deny.map((part) => part.toLowerCase())
  const verdicts = new Map<string, boolean>()

  const judge = (userAgent: string): boolean => {
    const name = userAgent.toLowerCase()
    if (allow.some((part) => name.includes(part))) return false
    return deny.some((part) => name.includes(part)) || listed.test(userAgent) || named.test(userAgent)
  }

  return (userAgent, hasKey) => {
    if (userAgent === undefined || userAgent.trim() === '') {
      if (hasKey) return
      throw refused('Send a User-Agent with the name, version and contact of your integration')
    }
    let isCrawler = verdicts.get(userAgent)
    if (isCrawler === undefined) {
      isCrawler = judge(userAgent)
      if (verdicts.size >= rememberedNames) verdicts.clear()
      verdicts.set(userAgent, isCrawler)
    }
    if (isCrawler)
      throw refused(
        'Crawlers and AI agents are not admitted. An integration sends a User-Agent with its name, version and contact',
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

const listed = new RegExp(
  crawlers
    .filter(({ tags = [], pattern }) => {
      if (pattern.length < shortestPattern) return false
      if (tags.some((tag) => crawlingTags.has(tag))) return true
      return tags.some((tag) => servingTags.has(tag)) && callsItselfCrawler.test(pattern)
    })
    .map(
      ({ pattern }) =>
        (pattern.startsWith('^') ? '' : wordStart) + pattern + (/[A-Za-z]$/.test(pattern) ? wordEnd : ''),
    )
    .join('|'),
)

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
