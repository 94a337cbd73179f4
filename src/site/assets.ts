/**
 * What the public pages load: a stylesheet, the gallery's script, two fonts and an icon, each under a name that holds the hash of
 * its content, so that it never changes and may be kept for ever. Nothing comes from elsewhere.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'
import { takesGzip } from '../web/gzip.ts'

type File = { type: string; content: Buffer; packed: Buffer | null }

export type Assets = {
  /** Addresses below the service's own, such as `/site/style.x1y2.css`. */
  paths: Readonly<Record<'style' | 'gallery' | 'icon' | 'textFont' | 'titleFont', string>>
  /** Changes with anything that pages are made of: sources and assets. */
  version: string
  files: ReadonlyMap<string, File>
  /** The icon for who asks for no other; scripts/favicon.ts draws it. */
  favicon: Buffer
}

const folder = '/site'
const own = new URL('assets/', import.meta.url)
const fonts = {
  textFont: '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2',
  titleFont: '@fontsource/fraunces/files/fraunces-latin-600-normal.woff2',
}

/** Reads and names them. */
export async function readAssets(): Promise<Assets> {
  const files = new Map<string, File>()
  const add = async (name: string, ending: string, type: string, content: Buffer) => {
    const file = `${name}.${digest([content])}.${ending}`
    // Fonts are packed already.
    files.set(file, { type, content, packed: ending === 'woff2' ? null : await promisify(gzip)(content) })
    return `${folder}/${file}`
  }
  const font = async (name: string, from: string) =>
    add(name, 'woff2', 'font/woff2', await readFile(new URL(import.meta.resolve(from))))
  const textFont = await font('figtree', fonts.textFont)
  const titleFont = await font('fraunces', fonts.titleFont)
  const css = (await readFile(new URL('style.css', own), 'utf8'))
    // Relative to the stylesheet, so that a path that a proxy adds does no harm.
    .replace('figtree.woff2', textFont.slice(folder.length + 1))
    .replace('fraunces.woff2', titleFont.slice(folder.length + 1))
  const paths = {
    textFont,
    titleFont,
    style: await add('style', 'css', 'text/css; charset=utf-8', Buffer.from(css)),
    gallery: await add(
      'gallery',
      'js',
      'text/javascript; charset=utf-8',
      await readFile(new URL('gallery.js', own)),
    ),
    icon: await add('icon', 'svg', 'image/svg+xml', await readFile(new URL('icon.svg', own))),
  }
  const favicon = await readFile(new URL('favicon.ico', own))
  const version = digest([...files.keys(), process.version, ...(await sources())])
  return { paths, version, files, favicon }
}

/** The sources run as they are, so what they would print anew is what they say. */
async function sources(): Promise<Buffer[]> {
  const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.ts')).sort()
  return Promise.all(names.map((name) => readFile(new URL(name, import.meta.url))))
}

function digest(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex').slice(0, 12)
}

/** Serves them. An old name is not found, rather than answered with something else. */
export function registerAssets(app: FastifyInstance, { files }: Assets): void {
  app.get<{ Params: { file: string } }>(`${folder}/:file`, async (request, reply) => {
    const file = files.get(request.params.file)
    if (file === undefined) throw new ApiError('not_found', { message: 'There is no such file.' })
    const { type, content, packed } = file
    reply
      .type(type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header('vary', 'accept-encoding')
    if (packed === null || !takesGzip(request)) return reply.send(content)
    return reply.header('content-encoding', 'gzip').send(packed)
  })
}
