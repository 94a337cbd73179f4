/**
 * The directory of an agency's export: JSON lines of its rows, the files of its pictures, and `manifest.json`, which is written last. The
 * manifest has the SHA-256 of all lines; `photos.jsonl` has that of each picture's files.
 */
import { createHash, hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { hasCode } from '../../platform/errors/errors.ts'
import { type Executor, statement } from '../../platform/db/statements/statement.ts'
import type { AgencyDetails } from '../../agencies/details.ts'

export const format = 1

/** The tables of listings, and the file of each. */
export const files = {
  properties: 'listings.jsonl',
  listing_history: 'history.jsonl',
  photo_sources: 'photo-sources.jsonl',
} as const
export type TransferredTable = keyof typeof files
export const tables = Object.keys(files) as TransferredTable[]
export const picturesFile = 'photos.jsonl'

/** A line of `photos.jsonl`. */
export type PictureLine = Readonly<{ photo: string; file: string; bytes: number; sha256: string }>

export type Columns = Readonly<Record<TransferredTable, readonly string[]>>

export type Manifest = Readonly<{
  format: number
  /** The version of the service that wrote it. */
  version: string
  /** ISO 8601: the moment whose state it has. */
  at: string
  agency: AgencyDetails & Readonly<{ slug: string; name: string; email: string | null }>
  /** The number of the agency's last change, and its moment. */
  revision: number
  changed_at: string
  /** Removed ones too. */
  listings: number
  photos: number
  columns: Columns
  /** SHA-256 by file. */
  sha256: Readonly<Record<string, string>>
}>

/** An export that cannot be read. The message is one line. */
export class BadExport extends Error {
  override readonly name = 'BadExport'
}

const selectColumns = statement<{ name: string }>(`
  select attname as name from pg_attribute
  where attrelid = $1::text::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attname`)

/** The columns of this version's tables, without generated ones. */
export async function readColumns(db: Executor): Promise<Columns> {
  const read = async (table: TransferredTable) => (await selectColumns(db, [table])).map(({ name }) => name)
  return {
    properties: await read('properties'),
    listing_history: await read('listing_history'),
    photo_sources: await read('photo_sources'),
  }
}

/** Makes the directory, or takes an empty one. @throws BadExport if it is not empty */
export async function openDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  if ((await readdir(path)).length > 0)
    throw new BadExport(`${path} is not empty: an export goes into a directory of its own.`)
}

/** Writes lines to a new file, and hashes them. */
export function writeLines(path: string) {
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
  const ended = finished(file)
  // Reported by the next call.
  ended.catch(() => {})
  const sha256 = createHash('sha256')
  return {
    async add(text: string): Promise<void> {
      // Node's readline takes these for line breaks. JSON has them in strings only.
      const line = text.replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`)
      sha256.update(line).update('\n')
      if (!file.write(`${line}\n`)) await Promise.race([once(file, 'drain'), ended])
    },
    /** @returns the SHA-256 */
    async end(): Promise<string> {
      file.end()
      await ended
      return sha256.digest('hex')
    },
  }
}

/** The lines of a file, parsed. @param wanted its SHA-256 @throws BadExport after the last line if it has another one */
export async function* readLines<Line>(path: string, wanted: string | undefined): AsyncGenerator<Line> {
  const sha256 = createHash('sha256')
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    sha256.update(line).update('\n')
    yield parse(line, path) as Line
  }
  if (sha256.digest('hex') !== wanted) throw new BadExport(`${path} was changed, or cut off.`)
}

export async function writePicture(directory: string, { photo, file }: PictureLine, bytes: Buffer) {
  const path = join(directory, 'photos', photo, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, bytes, { mode: 0o600 })
}

/** @throws BadExport if the file is not the one that was written */
export async function readExportedPicture(
  directory: string,
  { photo, file, sha256 }: PictureLine,
): Promise<Buffer> {
  const path = join(directory, 'photos', photo, file)
  const bytes = await readFile(path)
  if (hash('sha256', bytes) !== sha256) throw new BadExport(`${path} was changed.`)
  return bytes
}

const manifestFile = 'manifest.json'

export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  await writeFile(join(directory, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
}

/** @param columns those of this version @throws BadExport */
export async function readManifest(directory: string, columns: Columns): Promise<Manifest> {
  const path = join(directory, manifestFile)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    throw new BadExport(`There is no ${path}: this is no export, or an unfinished one.`)
  })
  const manifest = parse(text, path) as Manifest
  if (manifest.format !== format)
    throw new BadExport(`The export has the format ${manifest.format}, which this version does not read.`)
  if (JSON.stringify(manifest.columns) !== JSON.stringify(columns))
    throw new BadExport(
      `The export is of version ${manifest.version}, whose tables differ: bring both installations to one version, and export again.`,
    )
  return manifest
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadExport(`${path} cannot be read: it has a line that is not JSON.`)
  }
}
