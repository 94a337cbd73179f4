/**
 * Downloads pictures from URLs that strangers chose (api.md 13.1: URLs pointing to internal networks are rejected; up to 10 MB each).
 *
 * Every hop is checked: its URL, then every IP that its host resolves to, looked up once per write. The socket connects only to these IPs,
 * so DNS rebinding has no effect.
 */
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { buildConnector, Client } from 'undici'
import { checkPhotoUrl, hostOf, isAllowedSource, isPublicIp, type PhotoSourceAllow } from './check-url.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { abortable } from '../../platform/concurrency.ts'
import { readWithin, userAgentOf } from '../../platform/outside/outside-service.ts'
import { photoBudgets, sizeLimits } from '../../limits/sizes.ts'
import { PhotoFailure } from './failure.ts'
import { type Requester, dnsLookup, type HostLookup, NoDnsAnswer, oncePerWrite } from './dns.ts'

/**
 * Downloads one picture and returns its bytes, unchecked.
 * @param requester shared by the downloads of a write
 * @throws PhotoFailure; the signal's reason when that aborts
 */
export type PhotoDownloader = (
  url: string,
  allow: PhotoSourceAllow,
  signal?: AbortSignal,
  requester?: Requester,
) => Promise<Buffer>

export type DownloadLimits = {
  bytes: number
  redirects: number
  connectMs: number
  /** Until the response's headers are complete. */
  headersMs: number
  /** Between two chunks of the body. */
  idleMs: number
  /** For all hops together. */
  totalMs: number
}

/** Opens the socket (TLS included) to one of `ips`, which have been checked; any other is forbidden. */
export type OpenSocket = (
  target: buildConnector.Options,
  ips: readonly string[],
  callback: buildConnector.Callback,
) => void

type DownloadOptions = {
  clock: Clock
  serviceName: string
  /** The contact that the sources see. */
  publicBaseUrl: string
  limits?: Partial<DownloadLimits>
  /** Replaces DNS and, for sources named by the operator, the system's lookup. */
  lookup?: HostLookup
  openSocket?: OpenSocket
}

const defaultLimits: DownloadLimits = {
  bytes: sizeLimits.photo_bytes,
  redirects: 3,
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 5_000,
  totalMs: photoBudgets.downloadSeconds * 1_000,
}

/** How requests are sent. */
type Sending = { limits: DownloadLimits; openSocket: OpenSocket; headers: Record<string, string> }

const redirectStatuses = [301, 302, 303, 307, 308]
const noPublicIp = { kind: 'no_public_ip' } as const
const tooSlow = { kind: 'slow' } as const

/** Makes the downloader. It keeps no connections, cookies or other state between downloads and ignores proxy settings. */
export function openDownloader(options: DownloadOptions): PhotoDownloader {
  const limits = { ...defaultLimits, ...options.limits }
  const lookupPublic = oncePerWrite(options.lookup ?? dnsLookup(), options.clock)
  const lookupAllowed = oncePerWrite(options.lookup ?? lookupBySystem, options.clock)
  const sending: Sending = {
    limits,
    openSocket: options.openSocket ?? socketOpener(limits.connectMs),
    headers: {
      accept: 'image/jpeg, image/png, image/webp',
      'accept-encoding': 'identity',
      'user-agent': userAgentOf(options, 'photos'),
    },
  }

  return async (first, allow, signal = new AbortController().signal, requester = { payer: '' }) => {
    const total = AbortSignal.timeout(limits.totalMs)
    const ends = AbortSignal.any([signal, total])
    try {
      let next = first
      for (let hop = 0; hop <= limits.redirects; hop++) {
        const problem = checkPhotoUrl(next, allow)
        if (problem !== null)
          throw new PhotoFailure({ kind: hop === 0 ? 'refused_url' : 'refused_redirect', said: problem })
        const url = new URL(next)
        const isAllowed = isAllowedSource(url, allow)
        const lookup = isAllowed ? lookupAllowed : lookupPublic
        // The downloads of a write share a lookup, so only the write's signal may end it.
        const ips = await abortable(
          resolve(hostOf(url), (host) => lookup(host, requester, signal)),
          ends,
        )
        if (ips.length === 0 || !(isAllowed || ips.every(isPublicIp))) throw new PhotoFailure(noPublicIp)
        const response = await get(sending, url, ips, ends)
        if (typeof response !== 'string') return response
        next = response
      }
      throw new PhotoFailure({ kind: 'redirects', max: limits.redirects })
    } catch (error) {
      signal.throwIfAborted()
      if (total.aborted) throw new PhotoFailure(tooSlow, { cause: error })
      throw asFailure(error)
    }
  }
}

async function resolve(host: string, lookup: (host: string) => ReturnType<HostLookup>) {
  if (isIP(host) !== 0) return [host]
  try {
    return await lookup(host)
  } catch (error) {
    // The same failure for missing and for private names: a difference would reveal the internal network.
    throw new PhotoFailure(error instanceof NoDnsAnswer ? { kind: 'no_dns' } : noPublicIp, { cause: error })
  }
}

/** One request. @returns the picture, or the URL it redirects to */
async function get(
  { limits, openSocket, headers }: Sending,
  url: URL,
  ips: readonly string[],
  signal: AbortSignal,
): Promise<Buffer | string> {
  const client = new Client(url.origin, {
    connect: (target, callback) => openSocket(target, ips, callback),
    allowH2: false,
    pipelining: 0,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.idleMs,
  })
  // On the client, because a request notices an abort only once it is connected.
  const abort = (): void => void client.destroy(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    const response = await client.request({ method: 'GET', path: url.pathname + url.search, headers })
    const { statusCode: status, headers: received, body } = response
    body.on('error', () => {})
    if (redirectStatuses.includes(status)) return redirectTarget(received.location, url)
    if (status !== 200) throw new PhotoFailure({ kind: 'status', status })
    if (Number(received['content-length'] ?? 0) > limits.bytes) throw tooLarge(limits.bytes)
    return await readWithin(limits.bytes, body, tooLarge)
  } finally {
    signal.removeEventListener('abort', abort)
    await client.destroy()
  }
}

/** For names chosen by the operator, which may be in /etc/hosts. */
const lookupBySystem: HostLookup = async (hostname) => {
  const found = await systemLookup(hostname, { all: true })
  return found.map(({ address: ip }) => ip)
}

/** Connects with `ips` as the only answers of the resolver. Certificates are verified against the name. */
function socketOpener(connectMs: number): OpenSocket {
  return (target, ips, callback) => {
    const found = ips.map((ip) => ({ address: ip, family: isIP(ip) }))
    const connect = buildConnector({
      allowH2: false,
      maxCachedSessions: 0,
      timeout: connectMs,
      lookup: (_hostname, options, done) => {
        if (options.all === true) done(null, found)
        else done(null, found[0]?.address ?? '', found[0]?.family)
      },
    })
    connect(target, callback)
  }
}

function redirectTarget(location: string | string[] | undefined, base: URL): string {
  if (typeof location !== 'string' || !URL.canParse(location, base.href)) {
    throw new PhotoFailure({ kind: 'no_location' })
  }
  return new URL(location, base).href
}

function tooLarge(maxBytes: number): PhotoFailure {
  return new PhotoFailure({ kind: 'too_large', megabytes: Math.floor(maxBytes / 1_048_576) })
}

function asFailure(error: unknown): PhotoFailure {
  if (error instanceof PhotoFailure) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code))
    return new PhotoFailure(tooSlow, { cause: error })
  if (/CERT|^ERR_TLS|^UNABLE_TO|^HOSTNAME_MISMATCH|^ERR_SSL/.test(code)) {
    return new PhotoFailure({ kind: 'no_certificate' }, { cause: error })
  }
  return new PhotoFailure({ kind: 'unreachable' }, { cause: error })
}
