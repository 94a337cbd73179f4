/**
 * Looks up the hosts of photo sources with a resolver that can be cancelled and needs no libuv thread. The system's own lookup
 * would block one of the four threads, which files, passwords and the database need, while a name server is silent.
 *
 * It uses only DNS, with the system's servers: public names need neither /etc/hosts nor search domains.
 */
import { Resolver } from 'node:dns/promises'
import { boundedMap } from '../../platform/memory/bounded-map.ts'
import { perObject } from '../../platform/memory/per-object.ts'
import type { Clock } from '../../platform/time/clock.ts'

/** Every IP of a name, or none. @throws NoDnsAnswer; the signal's reason when that aborts */
export type HostLookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/** One write. Its downloads share their lookups. */
export type Requester = { payer: string }

/** DNS did not answer in time. */
export class NoDnsAnswer extends Error {
  override readonly name = 'NoDnsAnswer'
}

const silence = ['ETIMEOUT', 'ECANCELLED', 'ECONNREFUSED']

/** Looks up IPv4 and IPv6. @param options.servers instead of the system's */
export function dnsLookup({
  servers,
  limitMs = 5_000,
}: { servers?: readonly string[]; limitMs?: number } = {}): HostLookup {
  return async (hostname, signal) => {
    const resolver = new Resolver({ timeout: 1_500, tries: 3 })
    if (servers !== undefined) resolver.setServers(servers)
    const ends = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
    const cancel = (): void => resolver.cancel()
    ends.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      signal.throwIfAborted()
      // One of the two families suffices: the socket connects to no other IP.
      const ips = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (ips.length === 0 && answers.some(isSilence)) throw new NoDnsAnswer(`no answer about ${hostname}`)
      return ips
    } finally {
      ends.removeEventListener('abort', cancel)
    }
  }
}

function isSilence(answer: PromiseSettledResult<unknown>): boolean {
  return answer.status === 'rejected' && silence.includes((answer.reason as NodeJS.ErrnoException).code ?? '')
}

const silentForMs = 30_000
const maxSilent = 1_000

/** Looks a name up once per write. After a timeout, the same agency's lookups of that name fail for a while without a query. */
export function oncePerWrite(
  lookup: HostLookup,
  clock: Clock,
): (hostname: string, requester: Requester, signal: AbortSignal) => Promise<readonly string[]> {
  const now = (): number => performance.now() + clock.offsetMs
  const lookupsOf = perObject<Requester, Map<string, Promise<readonly string[]>>>(() => new Map())
  /** When a name may be queried again, by agency and name: one agency's failed lookup does not affect another's. */
  const silent = boundedMap<string, number>({ max: maxSilent })

  const resolve = async (hostname: string, { payer }: Requester, signal: AbortSignal) => {
    const key = `${payer} ${hostname}`
    if ((silent.get(key) ?? 0) > now()) throw new NoDnsAnswer(`no answer about ${hostname} a moment ago`)
    try {
      return await lookup(hostname, signal)
    } catch (error) {
      if (error instanceof NoDnsAnswer) silent.set(key, now() + silentForMs)
      throw error
    }
  }
  return (hostname, requester, signal) => {
    const lookups = lookupsOf(requester)
    const found = lookups.get(hostname) ?? resolve(hostname, requester, signal)
    lookups.set(hostname, found)
    return found
  }
}
