/** Serves the stylesheets of colours that agencies chose. */
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import { accentPath, accentStyle } from './accent.ts'

export function registerAccents(app: FastifyInstance): void {
  app.get('/site/accent/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
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
