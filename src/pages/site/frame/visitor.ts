/** Decides which visits count: visits of people who object to tracking and prefetched pages do not. */
import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../../../agencies/visits.ts'
import type { Config } from '../../../platform/config/config.ts'
import { crawlerGate } from '../../../http/admission/crawlers.ts'
import { subjectOf } from '../../../limits/subject.ts'

/** Null if the visit does not count. */
export function visitorOf({ headers, ip, method }: FastifyRequest): Visitor | null {
  // Both headers object to tracking.
  if (headers['sec-gpc'] === '1' || headers['dnt'] === '1') return null
  const ahead = `${String(headers['sec-purpose'] ?? '')} ${String(headers['purpose'] ?? '')}`
  if (method === 'HEAD' || /prefetch|preview/i.test(ahead)) return null
  return { network: subjectOf(ip), device: headers['user-agent'] ?? '' }
}

/** Whether the client is a crawler that the API would refuse. */
export function crawlerTest(
  config: Pick<Config, 'crawlersAllow' | 'crawlersDeny'>,
): (request: FastifyRequest) => boolean {
  const gate = crawlerGate({ allow: config.crawlersAllow, deny: config.crawlersDeny })
  return ({ headers }) => {
    try {
      gate(headers['user-agent'], false)
      return false
    } catch {
      return true
    }
  }
}
