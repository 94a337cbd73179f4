/**
 * Styles, scripts and pictures of the pages, served by ourselves under names that change with their content, so that browsers may
 * keep them for ever.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'
import { takesGzip } from './gzip.ts'

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
}

export type Assets = Readonly<{
  /** The address of an asset below the prefix, without it: `app.3f9ab2c1.css`. */
  href: (name: string) => string
  register: (app: FastifyInstance, prefix: string) => void
}>

/**
 * Reads the files, once.
 * @param sources name as it is asked for → the files it is put together from, in order
 */
export function openAssets(sources: Readonly<Record<string, readonly URL[]>>): Assets {
  const names = new Map<string, string>()
  const files = new Map<string, { type: string; content: Buffer; packed: Buffer }>()
  for (const [name, urls] of Object.entries(sources)) {
    const content = Buffer.concat(urls.map((url) => readFileSync(url)))
    const dot = name.lastIndexOf('.')
    const extension = name.slice(dot + 1)
    const version = createHash('sha256').update(content).digest('hex').slice(0, 12)
    const served = `${name.slice(0, dot)}.${version}.${extension}`
    names.set(name, served)
    files.set(served, {
      type: types[extension] ?? 'application/octet-stream',
      content,
      packed: gzipSync(content, { level: 9 }),
    })
  }
  return {
    href(name) {
      const served = names.get(name)
      if (served === undefined) throw new Error(`there is no asset ${name}`)
      return served
    },
    register(app, prefix) {
      app.get<{ Params: { file: string } }>(`${prefix}/:file`, async (request, reply) => {
        const file = files.get(request.params.file)
        if (file === undefined)
          throw new ApiError('not_found', { message: 'There is nothing at this address.' })
        reply
          .type(file.type)
          .header('cache-control', 'public, max-age=31536000, immutable')
          .header('x-content-type-options', 'nosniff')
          .header('vary', 'accept-encoding')
        if (!takesGzip(request)) return reply.send(file.content)
        return reply.header('content-encoding', 'gzip').send(file.packed)
      })
    },
  }
}
