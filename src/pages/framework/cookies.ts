/** The dashboard's cookies. Over https the `__Host-` prefix keeps other hosts and plain connections from setting them. */
import type { Config } from '../../platform/config/config.ts'

type CookieName = 'session' | 'guest' | 'flash' | 'language' | 'link' | 'browser'

export function cookieJar({ publicBaseUrl }: Pick<Config, 'publicBaseUrl'>) {
  const isSecure = publicBaseUrl.startsWith('https:')
  const named = (name: CookieName) => (isSecure ? `__Host-dashboard-${name}` : `dashboard-${name}`)
  return {
    /** The cookie's name on the wire. */
    named,
    /** A `Set-Cookie` line. @param seconds how long it lasts; 0 deletes it, null keeps it until the browser closes */
    line: (name: CookieName, value: string, seconds: number | null): string =>
      [
        `${named(name)}=${value}`,
        'Path=/',
        'HttpOnly',
        'SameSite=Lax',
        ...(isSecure ? ['Secure'] : []),
        ...(seconds === null ? [] : [`Max-Age=${seconds}`]),
      ].join('; '),
  }
}

/** The cookies of a request. If a name is sent twice, the first wins. */
export function readCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = {}
  for (const pair of (header ?? '').split(';')) {
    const separator = pair.indexOf('=')
    if (separator === -1) continue
    const name = pair.slice(0, separator).trim()
    if (!Object.hasOwn(cookies, name)) cookies[name] = pair.slice(separator + 1).trim()
  }
  return cookies
}
