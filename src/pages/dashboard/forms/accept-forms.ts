/** The bodies that the dashboard accepts: forms as browsers send them, and forms with a file on pages that take one. */
import type { FastifyInstance } from 'fastify'
import { ApiError, invalid } from '../../../platform/errors/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the page takes forms with a file. */
    takesFile?: boolean
  }
}

export function acceptForms(dashboard: FastifyInstance): void {
  dashboard.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => parseFormBody(body),
  )
  // Left unread: the page reads it once it knows the sender.
  dashboard.addContentTypeParser('multipart/form-data', (request, body, done) => {
    const takesFile = request.routeOptions.config.takesFile === true
    done(takesFile ? null : new ApiError('unsupported_media_type'), body)
  })
}

/**
 * Reads a form. Invalid UTF-8 would silently become replacement characters, and PostgreSQL stores no U+0000.
 * @throws ApiError 400 `body`, or the field
 */
function parseFormBody(body: string): URLSearchParams {
  try {
    decodeURIComponent(body.replaceAll('+', ' '))
  } catch {
    throw invalid('body', 'The form is not percent-encoded UTF-8.')
  }
  const form = new URLSearchParams(body)
  for (const [name, value] of form) {
    if (value.includes('\0') || !value.isWellFormed())
      throw invalid(name, `${name} contains characters that are not text.`)
  }
  return form
}
