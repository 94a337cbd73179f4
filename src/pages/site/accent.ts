/**
 * The colour that an agency chose, as a small stylesheet of its own, because the policy of the pages allows no inline style. The colour in
 * its name alone determines it.
 */
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import { type Scheme, shadesOf } from '../../platform/web/accent.ts'
import { hashedName } from '../../platform/web/assets.ts'

/** The name holds a hash, because the shades depend on the design. @param accent `#rrggbb` */
export function accentPath(accent: string): string {
  return `/site/accent/${hashedName(`${accent.slice(1)}.css`, Buffer.from(accentStyle(accent)))}`
}

function accentStyle(accent: string): string {
  const tokens = (scheme: Scheme) => {
    const shades = shadesOf(accent)[scheme]
    return `:root{--accent:${shades.accent};--accent-strong:${shades.accentStrong};--accent-soft:${shades.accentSoft};--on-accent:${shades.onAccent};--ring:0 0 0 3px ${shades.accent}52}`
  }
  return `${tokens('light')}@media (prefers-color-scheme:dark){${tokens('dark')}}\n`
}

export function registerAccents(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/site/accent/:file', async (request, reply) => {
    const { file } = request.params
    const accent = `#${file.slice(0, 6)}`
    if (!/^#[0-9a-f]{6}$/.test(accent) || accentPath(accent) !== `/site/accent/${file}`)
      throw new ApiError('not_found', { message: 'There is no such file.' })
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .send(accentStyle(accent))
  })
}
