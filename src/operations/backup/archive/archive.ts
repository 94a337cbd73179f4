/**
 * The file of a backup: a tar archive that is written and read from front to back. `head.json` comes first, then the parts, and
 * `manifest.json` last, with the size and SHA-256 of every part: an archive that was cut off has none.
 */
import { createHash, hash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'
import { BadArchive, cutOff, filesOf, type File } from './tar.ts'

/** A file of the archive. */
type Part = Readonly<{ name: string; bytes: number; sha256: string }>

export const format = 1
/** A field of each file's header, so that a part is checked before it is used. */
const hashField = 'LISTINGS.sha256'

/** Needed to read the parts. */
export type Head = Readonly<{
  format: number
  /** The version of the service that made the backup. */
  version: string
  /** ISO 8601: the moment whose state it has. */
  at: string
  /** The migrations that the database had, in order. */
  migrations: readonly string[]
  /** The tables in an order that their foreign keys allow, with the columns of their parts. */
  tables: readonly { name: string; columns: readonly string[] }[]
  /** Null: the pictures are in the archive. Otherwise they stay in this bucket. */
  bucket: string | null
}>

/** `rows`: by table. `pictures`: in the archive, or in the bucket. */
type Counts = Readonly<{
  agencies: number
  listings: number
  photos: number
  rows: Readonly<Record<string, number>>
}>

export type Manifest = Counts & Readonly<{ parts: readonly Part[] }>

type ArchiveWriter = {
  /** Waits until the destination takes more. */
  add(name: string, bytes: Buffer): Promise<void>
  /** Writes the manifest and ends the destination. @returns the size and SHA-256 of the whole archive */
  finish(counts: Counts): Promise<{ bytes: number; sha256: string; manifest: Manifest }>
  /** Ends the destination without a manifest. */
  abort(error: Error): void
}

/** Writes an archive, the head at once. */
export function writeArchive(destination: Writable, head: Head): ArchiveWriter {
  const tar = pack()
  const whole = createHash('sha256')
  const parts: Part[] = []
  let size = 0
  const written = pipeline(async function* () {
    for await (const piece of tar as AsyncIterable<Buffer>) {
      whole.update(piece)
      size += piece.length
      yield piece
    }
  }, destination)
  // Reported by `add` or `finish`, whichever waits for it.
  written.catch(() => {})
  const put = async (name: string, bytes: Buffer, digest = hash('sha256', bytes)): Promise<void> => {
    const taken = new Promise<void>((resolve, reject) => {
      const pax = { [hashField]: digest }
      tar
        .entry({ name, mode: 0o600, mtime: new Date(head.at), pax }, bytes, (error) =>
          error == null ? resolve() : reject(error),
        )
        .on('error', reject)
    })
    try {
      await Promise.race([taken, written])
    } catch (error) {
      // If the destination failed, the pipeline has its error, and the entry's says only that the archive has ended.
      tar.destroy(error as Error)
      await written
      throw error
    }
  }
  let begun = put('head.json', json(head))
  begun.catch(() => {})
  const add = async (name: string, bytes: Buffer): Promise<void> => {
    await begun
    const sha256 = hash('sha256', bytes)
    parts.push({ name, bytes: bytes.length, sha256 })
    begun = put(name, bytes, sha256)
    await begun
  }
  return {
    add,
    async finish(counts) {
      await begun
      const manifest: Manifest = { ...counts, parts }
      await put('manifest.json', json(manifest))
      tar.finalize()
      await written
      return { bytes: size, sha256: whole.digest('hex'), manifest }
    },
    abort: (error) => tar.destroy(error),
  }
}

export type ArchiveReader = {
  head(head: Head): Promise<void>
  /** Called for each part in order. Only the end shows whether all parts were there. */
  part(name: string, bytes: Buffer): Promise<void>
}

/**
 * Reads an archive, and compares every part with the manifest.
 * @throws BadArchive; the errors of the reader
 */
export async function readArchive(source: Readable, reader: ArchiveReader): Promise<Manifest> {
  const read: Part[] = []
  let head: Head | null = null
  let manifest: Manifest | null = null
  for await (const file of filesOf(source)) {
    const { name, bytes } = file
    const sha256 = checkedHash(file)
    if ((head === null) !== (name === 'head.json') || manifest !== null) throw notABackup()
    if (head === null) {
      head = checkHead(parse(bytes))
      await reader.head(head)
    } else if (name === 'manifest.json') manifest = parse(bytes) as Manifest
    else {
      read.push({ name, bytes: bytes.length, sha256 })
      await reader.part(name, bytes)
    }
  }
  if (head === null) throw notABackup()
  if (manifest === null) throw cutOff()
  compare(read, manifest.parts)
  return manifest
}

/** The hash in a file's header. @throws BadArchive if it is not that of the file */
function checkedHash({ name, pax, bytes }: File): string {
  const sha256 = pax[hashField]
  if (sha256 === undefined) throw notABackup()
  if (sha256 !== hash('sha256', bytes)) throw new BadArchive(`The part ${name} of the archive was changed.`)
  return sha256
}

function checkHead(found: unknown): Head {
  const head = found as Head
  if (head.format === format) return head
  throw new BadArchive(
    `The archive has the format ${String(head.format)}, which this version does not read: use a newer one.`,
  )
}

function compare(read: readonly Part[], wanted: readonly Part[]): void {
  for (const [index, { name, bytes, sha256 }] of wanted.entries()) {
    const part = read[index]
    if (part?.name !== name || part.bytes !== bytes || part.sha256 !== sha256)
      throw new BadArchive(`The archive does not have the part ${name} that its manifest names.`)
  }
  if (read.length !== wanted.length) throw new BadArchive('The archive has parts that its manifest lacks.')
}

function notABackup(): BadArchive {
  return new BadArchive(
    'This is not a backup of the service: its first file must be head.json, its last one manifest.json.',
  )
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw notABackup()
  }
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
