/** Fetches tiles from the operator's service alone, without redirects, within limits of time and size. Only pictures are accepted. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Agent } from 'undici'
import { dayMs } from '../../platform/time/days.ts'
import { ownBytes } from '../../platform/memory/own-bytes.ts'
import {
  exchangeWithin,
  readWithin,
  ServiceFailure,
  tooLarge,
  userAgentOf,
} from '../../platform/outside/outside-service.ts'
import { retryAfterMs } from '../../platform/outside/retry-after.ts'
import { tileBudgets } from '../../limits/sizes.ts'
import type { TileCoordinates } from './area.ts'

/** Validators for the next request for the same tile. */
export type Validators = Readonly<{ etag: string | null; modified: string | null }>

/** `none`: the service has no such tile, as for the open sea. `freshMs` is null for a tile that must not be cached. */
type TileResponse = Readonly<{ freshMs: number | null; validators: Validators }> &
  (Readonly<{ kind: 'picture'; bytes: Buffer }> | Readonly<{ kind: 'none' | 'unchanged' }>)

export type TileSource = Readonly<ReturnType<typeof openTileSource>>

type SourceOptions = Readonly<{
  /** With `{z}`, `{x}` and `{y}` or `{-y}`. */
  url: string
  serviceName: string
  /** The contact that the service sees. */
  publicBaseUrl: string
  timeoutMs?: number
}>

const noValidators: Validators = { etag: null, modified: null }
/** The first bytes of PNG, JPEG and WebP. */
const pictures = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/webp', /^52494646.{8}57454250/],
] as const

/** The type of a picture, or null for anything else. */
export function pictureType(bytes: Buffer): (typeof pictures)[number][0] | null {
  const start = bytes.subarray(0, 12).toString('hex')
  return pictures.find(([, signature]) => signature.test(start))?.[0] ?? null
}

/** Opens the service. It keeps connections and ignores proxy settings. */
export function openTileSource(options: SourceOptions) {
  const { url, timeoutMs = tileBudgets.timeoutSeconds * 1_000 } = options
  const agent = new Agent({
    allowH2: false,
    connections: tileBudgets.atOnce,
    connect: { timeout: timeoutMs },
  })
  const headers = {
    accept: 'image/png, image/jpeg, image/webp',
    'accept-encoding': 'identity',
    'user-agent': userAgentOf(options, 'maps'),
  }

  const exchange = async (
    coordinates: TileCoordinates,
    known: Validators | null,
    signal: AbortSignal,
  ): Promise<TileResponse> => {
    const { origin, pathname, search } = new URL(urlOf(url, coordinates))
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: {
        ...headers,
        ...(known?.etag == null ? {} : { 'if-none-match': known.etag }),
        ...(known?.modified == null ? {} : { 'if-modified-since': known.modified }),
      },
      signal,
    })
    const { statusCode: status, body } = response
    const header = (name: string) => [response.headers[name]].flat()[0] ?? null
    try {
      const freshMs = freshnessOf(header)
      const validators = { etag: header('etag'), modified: header('last-modified') }
      if (status === 304 && known !== null) return { kind: 'unchanged', freshMs, validators: known }
      if (status === 404 || status === 410 || status === 204)
        return { kind: 'none', freshMs, validators: noValidators }
      if (status !== 200) throw failureOf(status, header, origin)
      const bytes = await unpacked(await readWithin(tileBudgets.bytes, body), header('content-encoding'))
      if (pictureType(bytes) === null)
        throw new ServiceFailure(
          'nonsense',
          `It answered with ${typeOf(header)}: no JPEG, PNG or WebP picture.`,
        )
      return { kind: 'picture', bytes, freshMs, validators }
    } finally {
      // An unread body would hold the connection.
      body.on('error', () => {})
      body.destroy()
    }
  }

  return {
    /** @throws ServiceFailure; the signal's reason when that aborts */
    get: (coordinates: TileCoordinates, known: Validators | null, signal: AbortSignal) =>
      exchangeWithin(timeoutMs, signal, (ending) => exchange(coordinates, known, ending)),
    close: () => agent.destroy(),
  }
}

/** Rows count from the north or, for some services, from the south. */
function urlOf(template: string, { z, x, y }: TileCoordinates): string {
  const parts: Record<string, number> = { '{z}': z, '{x}': x, '{y}': y, '{-y}': 2 ** z - 1 - y }
  return template.replaceAll(/\{-?[xyz]\}/g, (part) => String(parts[part]))
}

type Header = (name: string) => string | null

/** How long the tile is fresh; null if the service forbids caching. */
function freshnessOf(header: Header): number | null {
  const { freshDays: usual, minFreshDays: min, maxFreshDays: max } = tileBudgets
  const control = header('cache-control') ?? ''
  if (/\b(no-store|private)\b/i.test(control)) return null
  const [, seconds] = /\bs-maxage=(\d{1,9})\b/i.exec(control) ?? /\bmax-age=(\d{1,9})\b/i.exec(control) ?? []
  const expires = Date.parse(header('expires') ?? '') - Date.parse(header('date') ?? '')
  const age = Number(/^\d{1,9}$/.exec(header('age') ?? '')?.[0] ?? 0)
  const unstated = /\bno-cache\b/i.test(control) ? min : usual
  const statedMs =
    seconds !== undefined
      ? (Number(seconds) - age) * 1_000
      : Number.isNaN(expires)
        ? unstated * dayMs
        : expires
  return Math.min(Math.max(statedMs, min * dayMs), max * dayMs)
}

function failureOf(status: number, header: Header, origin: string): ServiceFailure {
  const message = `It answered with status ${status}`
  if (status >= 500 || status === 408) return new ServiceFailure('down', `${message}.`)
  if (status === 429)
    return new ServiceFailure('blocked', `${message}: too many requests.`, { pauseMs: retryAfterMs(header) })
  if (status === 403 || status === 401 || status === 418)
    return new ServiceFailure(
      'forbidden',
      `${message}: it refuses this service. Check the key in MAP_TILES_URL, and its terms.`,
      { pauseMs: retryAfterMs(header) },
    )
  if (status >= 300 && status < 400)
    return new ServiceFailure('nonsense', `${message}: ${redirection(header('location'), origin)}`)
  return new ServiceFailure('nonsense', `${message}.`)
}

/** The redirect's target, without parts that may contain a key. */
function redirection(location: string | null, origin: string): string {
  const to = URL.parse(location ?? '', origin)?.origin
  return to === undefined || to === origin || to === 'null'
    ? 'redirects are not followed. Check MAP_TILES_URL.'
    : `it redirects to ${to.slice(0, 200)}, and redirects are not followed. Check MAP_TILES_URL.`
}

/** The response's content type. */
function typeOf(header: Header): string {
  const [type] = /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(header('content-type') ?? '') ?? []
  return type ?? 'something'
}

/** Some servers send compressed bodies regardless of `Accept-Encoding`. */
async function unpacked(bytes: Buffer, encoding: string | null): Promise<Buffer> {
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity') return bytes
  if (name !== 'gzip' && name !== 'x-gzip')
    throw new ServiceFailure('nonsense', 'It answered with a compression other than gzip.')
  const tile = await promisify(gunzip)(bytes, { maxOutputLength: tileBudgets.bytes }).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(tileBudgets.bytes)
      throw new ServiceFailure('nonsense', 'It answered with invalid gzip.', { cause: error })
    },
  )
  return ownBytes(tile)
}
