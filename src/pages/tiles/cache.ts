/**
 * Caches tiles: the latest in memory, more on disk for all processes of the machine. Both are bounded. The disk has a fixed number of
 * folders with an equal share each; a new tile displaces the oldest in its folder, so no code has to count or sweep the whole cache.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { boundedMap } from '../../platform/memory/bounded-map.ts'
import type { Validators } from './source.ts'
import type { Log } from '../../platform/log/log.ts'

/** Without bytes: the service has no tile there. */
export type CachedTile = Readonly<{
  bytes: Buffer
  /** The time until which it is fresh, in milliseconds. */
  freshUntil: number
  validators: Validators
}>

export type TileCache = Readonly<ReturnType<typeof openTileCache>>

type CacheOptions = Readonly<{
  /** Null: memory only. */
  directory: string | null
  log: Pick<Log, 'warn'>
  memoryBytes: number
  diskBytes: number
}>

const folders = 512
/** Percent of the disk share reserved for the parent directory and for tiles that are being written. */
const reserve = 2
/** A file on disk takes whole blocks, and one at least. */
const block = 4_096
/** Memory overhead of an entry. */
const overhead = 256

/** Opens the cache. The directory is made with the first tile. */
export function openTileCache(options: CacheOptions) {
  const { log, memoryBytes, diskBytes } = options
  const memory = boundedMap<string, CachedTile>({
    max: memoryBytes,
    sizeOf: ({ bytes }) => bytes.length + overhead,
  })
  const share = Math.floor((diskBytes * (100 - reserve)) / 100 / folders)
  let { directory } = options

  const folderOf = (name: string): string => {
    const number = createHash('sha256').update(name).digest().readUInt16BE() % folders
    return number.toString(16).padStart(3, '0')
  }

  /** Deletes the oldest files of a folder, and leftovers of a crash, until it fits its share. */
  const trim = async (folder: string): Promise<void> => {
    const names = await readdir(folder)
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name)
        const found = await stat(path).catch(() => null)
        return { path, bytes: found === null ? 0 : occupied(found), at: found?.mtimeMs ?? 0 }
      }),
    )
    let total = files.reduce((sum, { bytes }) => sum + bytes, occupied(await stat(folder)))
    for (const { path, bytes } of files.sort((a, b) => a.at - b.at)) {
      if (total <= share) break
      await rm(path, { force: true })
      total -= bytes
    }
  }

  return {
    async read(name: string): Promise<CachedTile | null> {
      const known = memory.get(name)
      if (known !== undefined || directory === null) return known ?? null
      const file = await readFile(join(directory, folderOf(name), name)).catch(() => null)
      const tile = file === null ? null : unpack(file)
      if (tile !== null) memory.set(name, tile)
      return tile
    },
    /** Never rejects: a tile that cannot be stored is fetched again. */
    async write(name: string, tile: CachedTile): Promise<void> {
      memory.set(name, tile)
      if (directory === null) return
      const folder = join(directory, folderOf(name))
      const draft = join(folder, `${name}.${randomBytes(6).toString('hex')}`)
      try {
        await mkdir(folder, { recursive: true })
        await writeFile(draft, pack(tile))
        // Renamed into place when complete. Not synced: a tile that a crash loses is fetched again.
        await rename(draft, join(folder, name))
        // Afterwards, so that the last of several simultaneous writers sees all files.
        await trim(folder)
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {})
        log.warn({ err: error }, 'map tiles cannot be cached on disk; only memory is used')
        directory = null
      }
    },
  }
}

/** A file's size on disk. Some file systems report fewer blocks until they have written it. */
function occupied({ size, blocks }: Stats): number {
  return Math.max(blocks * 512, Math.ceil(size / block) * block, block)
}

/** A line of JSON, then the bytes. */
function pack({ bytes, freshUntil, validators }: CachedTile): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ freshUntil, ...validators })}\n`), bytes])
}

/** Null for an incomplete file, such as one that a crash of the machine left empty. */
function unpack(file: Buffer): CachedTile | null {
  const end = file.indexOf('\n')
  if (end === -1) return null
  try {
    const { freshUntil, etag, modified } = JSON.parse(file.subarray(0, end).toString()) as {
      freshUntil: number
    } & Validators
    return { bytes: file.subarray(end + 1), freshUntil, validators: { etag, modified } }
  } catch {
    return null
  }
}
