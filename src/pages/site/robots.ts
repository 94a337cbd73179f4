/**
 * robots.txt (api.md 1.3, RFC 9309): the crawler gate's policy, also for paths where it is not enforced. Search
 * engines and previews may read the public pages, AI agents nothing. No crawler may read the API and the dashboard.
 */
import type { Config } from '../../platform/config/config.ts'
import { aiAgents } from '../../http/admission/crawlers.ts'

/** The whole file. */
export function robotsText(
  config: Pick<Config, 'publicBaseUrl' | 'crawlersAllow' | 'crawlersDeny'>,
  basePath: string,
): string {
  const allowed = config.crawlersAllow.map((part) => part.toLowerCase())
  // A name must not end the line or begin a comment.
  const denied = config.crawlersDeny.filter((name) => /^[\w .-]+$/.test(name))
  const refused = [...aiAgents(), ...denied].filter(
    (name) => !allowed.some((part) => name.toLowerCase().includes(part)),
  )
  return [
    '# Search engines and link previews may read the public pages. AI agents are not admitted.',
    ...[...new Set(refused)].map((name) => `User-agent: ${name}`),
    'Disallow: /',
    '',
    'User-agent: *',
    ...['/api/', '/dashboard', '/docs', '/map/'].map((path) => `Disallow: ${basePath}${path}`),
    '',
    `Sitemap: ${config.publicBaseUrl}/sitemap.xml`,
    '',
  ].join('\n')
}
