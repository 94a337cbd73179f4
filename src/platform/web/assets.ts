/**
 * Styles, scripts, fonts and icons, served under names with a hash of their content: browsers may keep them forever. An old name gets 404
 * rather than other content.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/errors.ts'
import { ownBytes } from '../memory/own-bytes.ts'

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  woff2: 'font/woff2',
}

/** Formats that are compressed already. */
const packedAlready = new Set(['woff2', 'jpg'])

export type Assets = Readonly<{
  /** `style.css` → `/site/style.3f9ab2c1d0e4.css`. @throws Error for an unknown name */
  path: (name: string) => string
  register: (app: FastifyInstance) => void
}>

/** @param folder the path that serves them, such as `/site` @param written name → content */
export function openAssets(folder: string, written: Readonly<Record<string, Buffer>>): Assets {
  const names = new Map<string, string>()
  const files = new Map<string, Buffer>()
  const packed = new Map<string, Promise<Buffer>>()
  for (const name of Object.keys(written)) add(name)

  /** @returns the served name */
  function add(name: string): string {
    const known = names.get(name)
    if (known !== undefined) return known
    const source = written[name]
    if (source === undefined) throw new Error(`There is no asset ${name}.`)
    const content = name.endsWith('.css') ? compact(source) : name.endsWith('.js') ? linked(source) : source
    const file = hashedName(name, content)
    names.set(name, file)
    files.set(file, content)
    return file
  }

  /** The script with the served names of the assets that it imports. */
  function linked(script: Buffer): Buffer {
    const text = String(script)
    return Buffer.from(
      text.replaceAll(/^import .* from '\.\/(.+)'$/gm, (line, name: string) => line.replace(name, add(name))),
    )
  }

  return {
    path: (name) => `${folder}/${add(name)}`,
    register(app) {
      app.get<{ Params: { file: string } }>(`${folder}/:file`, async (request, reply) => {
        const { file } = request.params
        const content = files.get(file)
        if (content === undefined) throw new ApiError('not_found', { message: 'There is no such file.' })
        const extension = file.slice(file.lastIndexOf('.') + 1)
        reply
          .type(types[extension] ?? 'application/octet-stream')
          .header('cache-control', 'public, max-age=31536000, immutable')
          .header('x-content-type-options', 'nosniff')
          .header('vary', 'accept-encoding')
        if (packedAlready.has(extension) || !takesGzip(request)) return reply.send(content)
        const small = packed.get(file) ?? promisify(gzip)(content, { level: 9 }).then(ownBytes)
        packed.set(file, small)
        return reply.header('content-encoding', 'gzip').send(await small)
      })
    },
  }
}

/** A stylesheet without comments and indentation, which are a sixth of its compressed size. */
function compact(style: Buffer): Buffer {
  return Buffer.from(
    String(style)
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/ ?([{};]) ?/g, '$1'),
  )
}

/** `style.css` → `style.3f9ab2c1d0e4.css` */
export function hashedName(name: string, content: Buffer): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return `${name.slice(0, dot)}.${hash}${name.slice(dot)}`
}

/** Whether the client accepts compressed responses (RFC 9110 'Accept-Encoding'). */
export function takesGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers['accept-encoding'] ?? ''))
}
