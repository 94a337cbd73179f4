/** Stores the pictures' files in a folder under DATA_DIR or in any S3-compatible store. */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Config } from '../../platform/config/config.ts'
import type { S3Config } from '../../platform/config/stores.ts'
import { ApiError, hasCode } from '../../platform/errors/errors.ts'
import { openS3Client } from '../../platform/outside/s3-client.ts'
import { syncDirectory } from '../../platform/sync-directory.ts'
import { filesOfPhoto, newPhotoName, photoKey } from './names-and-urls.ts'

export type PhotoStorage = {
  /** Writes the whole file or nothing; once it resolves, the file survives a crash. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /**
   * The file and its size in bytes, or null if there is none. The caller reads the stream or destroys it.
   * @throws ApiError `service_unavailable` if the storage fails before the first byte
   */
  openRead(key: string): Promise<{ stream: Readable; size: number } | null>
  /** The whole file, or null if there is none. @throws ApiError `service_unavailable` */
  read(key: string): Promise<Buffer | null>
  /** Deletes every file of a picture. A missing file is not an error. */
  removePhoto(agencyId: string, photo: string): Promise<void>
  close(): void
}

/** How many files to store at once when there are many: each waits several times for the disk or the bucket. */
export const filesAtOnce = 16

/** Opens the storage that the settings name. */
export async function openStorage(config: Pick<Config, 'dataDir' | 's3'>): Promise<PhotoStorage> {
  return config.s3 === null ? openFiles(join(config.dataDir, 'photos')) : await openS3(config.s3)
}

/** Writes, reads and deletes a small file. @returns the problem as a sentence, or null */
export async function checkStorage(storage: PhotoStorage): Promise<string | null> {
  const agencyId = 'probe'
  const photo = newPhotoName('probe'.padEnd(43, '-'))
  const key = photoKey(agencyId, photo, 'small')
  const content = randomUUID()
  let step = 'write'
  try {
    await storage.put(key, Buffer.from(content))
    step = 'read back'
    if ((await storage.read(key))?.toString() !== content)
      return 'The photo storage does not return what was written.'
    step = 'delete'
    await storage.removePhoto(agencyId, photo)
    return (await storage.read(key)) === null ? null : 'The photo storage does not delete files.'
  } catch (error) {
    return `The photo storage failed to ${step} a file: ${rootCause(error).message}`
  }
}

/**
 * flydrive's driver for files, made safe against crashes: a file appears whole or not at all, and survives. The original driver writes in
 * place and opens files late.
 */
class AtomicFsDriver extends FSDriver {
  /** Writes a temporary file in the same folder first; a file left by a crash is deleted with the folder. */
  override async put(key: string, contents: string | Uint8Array): Promise<void> {
    const path = this.#path(key)
    const folders = this.#foldersOf(path)
    // One at a time: on a read-only disk, Node's recursive mkdir reports ENOENT.
    for (const folder of folders) await makeFolder(folder)
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      const file = await open(temporary, 'wx')
      try {
        await file.writeFile(contents)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    // Sync the directory entries too: the file's in its folder, and each folder's in its parent.
    for (const folder of folders.toReversed()) await syncDirectory(folder)
  }

  /** Opens at once, so that a missing file rejects here and not when the stream is read. */
  override async getStream(key: string): Promise<Readable> {
    const file = await open(this.#path(key), 'r')
    return file.createReadStream()
  }

  #root(): string {
    const { location } = this.options
    return typeof location === 'string' ? location : fileURLToPath(location)
  }

  #path(key: string): string {
    return join(this.#root(), key)
  }

  /** The folders of a file, from the root to its own. */
  #foldersOf(path: string): string[] {
    const folders: string[] = []
    for (
      let folder = dirname(path);
      !relative(this.#root(), folder).startsWith('..');
      folder = dirname(folder)
    )
      folders.unshift(folder)
    return folders
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function openFiles(location: string): PhotoStorage {
  const disk = new Disk(new AtomicFsDriver({ location, visibility: 'private' }))
  return {
    ...filesOf(disk, () => access(location)),
    // The folder, so that a half-written temporary file goes too.
    removePhoto: (agencyId, photo) => disk.deleteAll(`${agencyId}/${photo}`),
    close: () => {},
  }
}

async function openS3(config: S3Config): Promise<PhotoStorage> {
  const { S3Driver } = await import('flydrive/drivers/s3')
  const client = await openS3Client(config, 10_000)
  const disk = new Disk(
    new S3Driver({ client, bucket: config.bucket, visibility: 'private', supportsACL: false }),
  )
  return {
    // A missing bucket makes every read fail.
    ...filesOf(disk, async () => {}),
    // One by one: compatible stores and narrow permissions often lack bulk deletion and listing.
    removePhoto: async (agencyId, photo) => {
      await Promise.all(filesOfPhoto(agencyId, photo).map(({ key }) => disk.delete(key)))
    },
    close: () => client.destroy(),
  }
}

/** @param check rejects if the storage is down although it only seems to lack a file, like a volume that is not mounted */
function filesOf(disk: Disk, check: () => Promise<void>): Pick<PhotoStorage, 'put' | 'openRead' | 'read'> {
  const openRead = async (key: string) => {
    const file = await openFile(disk, key)
    if (file === null) await check()
    // A store that fails from the start must do so before the response begins.
    else await once(file.stream, 'readable')
    return file
  }
  return {
    put: (key, bytes) => disk.put(key, bytes),
    openRead: (key) => openRead(key).catch(unavailable),
    async read(key) {
      const file = await openRead(key).catch(unavailable)
      return file === null ? null : await buffer(file.stream).catch(unavailable)
    },
  }
}

function unavailable(error: unknown): never {
  throw new ApiError('service_unavailable', {
    message: 'The photo cannot be read now. Try again in a moment.',
    retryAfter: 5,
    cause: error,
  })
}

async function openFile(disk: Disk, key: string): Promise<{ stream: Readable; size: number } | null> {
  const [stream, metaData] = await Promise.allSettled([disk.getStream(key), disk.getMetaData(key)])
  if (stream.status === 'rejected') {
    if (isMissing(stream.reason)) return null
    throw stream.reason
  }
  if (metaData.status === 'rejected') {
    stream.value.destroy()
    // The file was deleted between the two calls.
    if (isMissing(metaData.reason)) return null
    throw metaData.reason
  }
  return { stream: stream.value, size: metaData.value.contentLength }
}

/** Whether the file is missing; a missing bucket is a failure. */
function isMissing(error: unknown): boolean {
  const cause = rootCause(error)
  if (cause.name === 'NoSuchKey' || cause.name === 'NotFound') return true
  return 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
}

/** flydrive wraps what its drivers throw. */
function rootCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? rootCause(error.cause) : error
}
