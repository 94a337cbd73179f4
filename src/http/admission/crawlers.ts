/**
 * The crawler gate (api.md 1.3): refuses crawlers, AI agents and clients without a name, but never an integration. The names come from
 * ai-agents.ts and from those entries of the npm package crawler-user-agents (MIT) that are certain to be crawlers.
 */
import published from 'crawler-user-agents'
import { ApiError } from '../../platform/errors/errors.ts'
import { aiAgentNames, crawlerNames } from './ai-agents.ts'

/** Tags of entries that are always crawlers. */
const crawlingTags: ReadonlySet<string> = new Set(['ai-crawler', 'search-engine', 'archiver', 'academic'])
/** Tags of services that an agency may use itself. Only entries whose pattern contains a word for crawler are refused. */
const servingTags = new Set('seo advertising scanner social-preview feed-reader'.split(' '))
const callsItselfCrawler = /bot|crawl|spider|slurp|scrap/i
/** Shorter patterns are generic words that match honest products. Crawlers with such names also contain bot or crawler. */
const minPatternLength = 5

/** Only the first characters are matched, to bound the cost. Every known crawler is named there; one that hides has another name. */
const checkedCharacters = 1_024

type CrawlerGate = (userAgent: string | undefined, hasKey: boolean) => void

/** The operator's own parts of names, in any case; `allow` wins. */
type CrawlerLists = Readonly<{ allow: readonly string[]; deny: readonly string[] }>

export const isUnnamed = (userAgent: string | undefined): boolean => (userAgent ?? '').trim() === ''

/** @returns whether a client with that User-Agent is a crawler */
export function crawlerTest(lists: CrawlerLists): (userAgent: string) => boolean {
  const allow = lists.allow.map((part) => part.toLowerCase())
  const deny = lists.deny.map((part) => part.toLowerCase())
  return (userAgent) => {
    const name = userAgent.toLowerCase()
    if (allow.some((part) => name.includes(part))) return false
    if (deny.some((part) => name.includes(part))) return true
    const checked = userAgent.slice(0, checkedCharacters)
    return listed.test(checked) || named.test(checked)
  }
}

/** @returns a check that throws ApiError `forbidden` */
export function crawlerGate(lists: CrawlerLists): CrawlerGate {
  const isCrawler = crawlerTest(lists)
  return (userAgent = '', hasKey) => {
    if (isUnnamed(userAgent)) {
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

/** Names match whole words: `Robotics` is not `bot`, `FluidCRM` is not `Fluid`. */
const wordStart = '(?<![A-Za-z0-9])'
const wordEnd = '(?![a-z]|[A-Z]{2})'

/** The package's types lack its tags. */
const crawlers: readonly { pattern: string; tags?: readonly string[] }[] = published

/** Patterns of the published list that are certain to be crawlers. They match at the start of a word; with `^`, of the whole header. */
export const crawlerPatterns: readonly string[] = crawlers
  .filter(({ tags = [], pattern }) => {
    if (pattern.length < minPatternLength) return false
    if (tags.some((tag) => crawlingTags.has(tag))) return true
    return tags.some((tag) => servingTags.has(tag)) && callsItselfCrawler.test(pattern)
  })
  .map(({ pattern }) => pattern)

const listed = anyOf(crawlerPatterns)

/**
 * One expression for all. Alternatives with the same word boundaries share them and are sorted, so that the engine excludes most by a
 * character or two, instead of trying hundreds at each position.
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

/** Names of all AI agents, for robots.txt: our own and those of the published list whose pattern is a plain name. */
export function aiAgents(): string[] {
  const listedNames = crawlers
    .filter(({ tags = [] }) => tags.includes('ai-crawler'))
    .map(({ pattern }) => pattern.replaceAll(/\\([/.])/g, '$1').replace(/\/$/, ''))
    .filter((name) => /^[\w .-]+$/.test(name))
  const names = new Map([...aiAgentNames, ...listedNames].map((name) => [name.toLowerCase(), name]))
  return [...names.values()].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
}

const ownPatterns = [...aiAgentNames, ...crawlerNames].map((name) => RegExp.escape(name))
const named = new RegExp(`${wordStart}(?:${ownPatterns.join('|')})(?![A-Za-z0-9])`, 'i')
