/** Decides which visits count: visits of people who object to tracking and prefetched pages do not. */
import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../../../agencies/visits.ts'
import type { Config } from '../../../platform/config/config.ts'
import { crawlerTest, isUnnamed } from '../../../http/admission/crawlers.ts'
import { subjectOf } from '../../../limits/subject.ts'

/** Null if the visit does not count. */
export function visitorOf({ headers, ip, method }: FastifyRequest): Visitor | null {
  // Both headers object to tracking.
  if (headers['sec-gpc'] === '1' || headers['dnt'] === '1') return null
  const ahead = `${String(headers['sec-purpose'] ?? '')} ${String(headers['purpose'] ?? '')}`
  if (method === 'HEAD' || /prefetch|preview/i.test(ahead)) return null
  return { network: subjectOf(ip), device: headers['user-agent'] ?? '' }
}

/** @returns whether a client is one that the API would refuse without a key: a crawler, or unnamed */
export function refusedClientTest(
  config: Pick<Config, 'crawlersAllow' | 'crawlersDeny'>,
): (request: FastifyRequest) => boolean {
  const isCrawler = crawlerTest({ allow: config.crawlersAllow, deny: config.crawlersDeny })
  return ({ headers: { 'user-agent': userAgent = '' } }) => isUnnamed(userAgent) || isCrawler(userAgent)
}
