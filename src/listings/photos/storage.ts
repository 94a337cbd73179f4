/** Stores the pictures' files in a folder under DATA_DIR or in any S3-compatible store. */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { Disk } from 'flydrive'
import type { Config } from '../../platform/config/config.ts'
import type { S3Config } from '../../platform/config/stores.ts'
import { ApiError, hasCode, rethrowAfter } from '../../platform/errors/errors.ts'
import { openS3Client } from '../../platform/outside/s3-client.ts'
import { syncDirectory } from '../../platform/files/sync-directory.ts'
import { filesOfPhoto, newPhotoName, photoKey } from './names-and-urls.ts'

type OpenFile = { stream: Readable; size: number }

export type PhotoStorage = {
  /** Writes the whole file or nothing; once it resolves, the file survives a crash. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /**
   * The file and its size in bytes, or null if there is none. The caller reads the stream or destroys it.
   * @throws ApiError `service_unavailable` if the storage fails before the first byte
   */
  openRead(key: string): Promise<OpenFile | null>
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

/** Files in a folder. Each appears whole or not at all, and then survives a crash. */
function openFiles(root: string): PhotoStorage {
  return {
    ...readsOf(async (key) => {
      const file = await openFile(pathOf(root, key))
      // Without the folder, like a volume that is not mounted, the storage is down and only seems to lack the file.
      if (file === null) await access(root)
      return file
    }),
    put: (key, bytes) => putFile(root, key, bytes),
    // The folder, so that a half-written temporary file goes too.
    removePhoto: async (agencyId, photo) => {
      await rm(pathOf(root, `${agencyId}/${photo}`), { recursive: true, force: true })
    },
    close: () => {},
  }
}

/** No part begins with a dot, so a key, which may come from an archive, never leaves the root. */
const keyPattern = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

function pathOf(root: string, key: string): string {
  if (!keyPattern.test(key)) throw new Error(`"${key}" is not the key of a file`)
  return join(root, key)
}

/** Writes a temporary file in the same folder first; a file left by a crash is deleted with the folder. */
async function putFile(root: string, key: string, bytes: Uint8Array): Promise<void> {
  const path = pathOf(root, key)
  const folders = foldersOf(root, key)
  // One at a time: on a read-only disk, Node's recursive mkdir reports ENOENT.
  for (const folder of folders) await makeFolder(folder)
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(bytes)
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

/** The folders of a file, from the root to its own. */
function foldersOf(root: string, key: string): string[] {
  const names = key.split('/').slice(0, -1)
  return [root, ...names.map((_, index) => join(root, ...names.slice(0, index + 1)))]
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

async function openFile(path: string): Promise<OpenFile | null> {
  try {
    const file = await open(path, 'r')
    const { size } = await file.stat().catch(rethrowAfter(() => file.close()))
    return { stream: file.createReadStream(), size }
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null
    throw error
  }
}

async function openS3(config: S3Config): Promise<PhotoStorage> {
  // Needs @aws-sdk/s3-request-presigner, although nothing here signs URLs.
  const { S3Driver } = await import('flydrive/drivers/s3')
  const client = await openS3Client(config, 10_000)
  const disk = new Disk(
    new S3Driver({ client, bucket: config.bucket, visibility: 'private', supportsACL: false }),
  )
  return {
    ...readsOf((key) => openObject(disk, key)),
    put: (key, bytes) => disk.put(key, bytes),
    // One by one: compatible stores and narrow permissions often lack bulk deletion and listing.
    removePhoto: async (agencyId, photo) => {
      await Promise.all(filesOfPhoto(agencyId, photo).map(({ key }) => disk.delete(key)))
    },
    close: () => client.destroy(),
  }
}

async function openObject(disk: Disk, key: string): Promise<OpenFile | null> {
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
  return ['NoSuchKey', 'NotFound'].includes(rootCause(error).name)
}

/** flydrive wraps what its drivers throw. */
function rootCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? rootCause(error.cause) : error
}

/** @param openStored rejects if the storage is down, even if it only seems to lack the file */
function readsOf(
  openStored: (key: string) => Promise<OpenFile | null>,
): Pick<PhotoStorage, 'openRead' | 'read'> {
  const openRead = async (key: string): Promise<OpenFile | null> => {
    const file = await openStored(key).catch(unavailable)
    // A store that fails from the start must do so before the response begins.
    if (file !== null) await once(file.stream, 'readable').catch(unavailable)
    return file
  }
  return {
    openRead,
    async read(key) {
      const file = await openRead(key)
      return file === null ? null : await buffer(file.stream).catch(unavailable)
    },
  }
}

function unavailable(error: unknown): never {
  throw new ApiError('service_unavailable', {
    message: 'The photo cannot be read now. Try again in a moment.',
    cause: error,
  })
}
