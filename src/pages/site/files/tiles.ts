/**
 * Serves map tiles from the service's own origin, so that pages load nothing from elsewhere and no other server sees visitors' IPs. Only
 * for this service's pages: other sites are refused, and so are clients that request more than a person looks at.
 */
import type { FastifyInstance } from 'fastify'
import { dayMs } from '../../../platform/time/days.ts'
import type { Deps } from '../../../deps.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { matchesNone } from '../../../http/responses/etag.ts'
import { ipLimit } from '../../../limits/ip-limit.ts'
import { subjectOf } from '../../../limits/subject.ts'
import { tileBudgets } from '../../../limits/sizes.ts'
import { tagOf } from '../../framework/send-cacheable.ts'

type Params = { z: string; x: string; y: string }

const isNumber = /^(0|[1-9]\d{0,7})$/
const browserMs = tileBudgets.browserDays * dayMs

export function registerTiles(app: FastifyInstance, deps: Deps): void {
  const { tiles } = deps
  if (tiles === null) return
  const count = ipLimit('map_tiles_per_address_per_minute', deps)
  app.get<{ Params: Params }>('/map/:z/:x/:y', async (request, reply) => {
    const { z, x, y } = request.params
    if (![z, x, y].every((part) => isNumber.test(part))) throw missing()
    if (request.headers['sec-fetch-site'] === 'cross-site')
      throw new ApiError('forbidden', { message: 'These maps are for the pages of this service.' })
    count(request.ip)
    const tile = await tiles.find({ z: Number(z), x: Number(x), y: Number(y) }, subjectOf(request.ip))
    if (tile === null) throw missing()
    const etag = tagOf(tile.bytes)
    const seconds = Math.floor(Math.min(tile.freshMs, browserMs) / 1_000)
    reply
      .header('cache-control', `public, max-age=${seconds}`)
      .header('etag', etag)
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'same-origin')
    if (matchesNone(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(tile.type).send(tile.bytes)
  })
}

function missing(): ApiError {
  return new ApiError('not_found', { message: 'There is no such tile.' })
}
