/** Where archives are kept: in a directory, or under a prefix in a bucket. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { addAbortSignal, PassThrough, type Readable, type Writable } from 'node:stream'
import type { Config } from '../../../platform/config/config.ts'
import { bucketOf, isUrl } from '../../../platform/config/stores.ts'
import { hasCode } from '../../../platform/errors/errors.ts'
import { openS3Client, type S3Access } from '../../../platform/outside/s3-client.ts'
import { syncDirectory } from '../../../platform/files/sync-directory.ts'
import { removeLeftovers, unfinished } from '../routine/leftovers.ts'

/** An archive that is kept if `write` and `check` succeed, and otherwise deleted. */
type Draft<T> = Readonly<{
  write: (destination: Writable) => Promise<T>
  check: (open: () => Promise<Readable>) => Promise<void>
  /** Stops `write`. */
  signal: AbortSignal
}>

type Stores = Pick<Config, 's3Access' | 'dataDir'>

export type ArchiveStore = {
  /** The path or URL of an archive. */
  locate(name: string): string
  save<T>(name: string, draft: Draft<T>): Promise<T>
  /** Null if there is no such archive. */
  read(name: string): Promise<Readable | null>
  /** A missing archive is not an error. */
  remove(name: string): Promise<void>
  /** A directory for the database of a verification. */
  scratch: string
  close(): void
}

/**
 * @param to a directory, which the first archive creates, or `s3://BUCKET/PREFIX`
 * @param access the credentials for buckets; null: there are none
 * @param dataDir where a backup in a bucket is verified, if it exists: temporary directories may be in memory
 * @throws Error if it is another kind of URL
 */
export async function openArchiveStore(
  to: string,
  { s3Access: access, dataDir }: Stores,
): Promise<ArchiveStore> {
  const bucket = bucketOf(to)
  if (bucket === null && isUrl(to)) throw new Error(`"${to}" is neither a directory nor s3://bucket/prefix.`)
  if (bucket === null) return openDirectory(resolve(to))
  if (access === null)
    throw new Error(`S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are missing: ${to} needs them.`)
  return await openBucket(bucket, access, existsSync(dataDir) ? dataDir : tmpdir())
}

/** The store of an archive, and its name there. */
export async function openStoreOf(archive: string, stores: Stores) {
  const cut = archive.lastIndexOf('/')
  if (!isUrl(archive))
    return { archives: await openArchiveStore(dirname(resolve(archive)), stores), name: basename(archive) }
  return { archives: await openArchiveStore(archive.slice(0, cut), stores), name: archive.slice(cut + 1) }
}

function openDirectory(directory: string): ArchiveStore {
  const locate = (name: string): string => join(directory, name)
  return {
    locate,
    async save(name, { write, check, signal }) {
      await mkdir(directory, { recursive: true })
      await removeLeftovers(directory)
      const partial = locate(name + unfinished)
      try {
        const file = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true })
        const written = await write(addAbortSignal(signal, file))
        await check(async () => createReadStream(partial))
        await rename(partial, locate(name))
        await syncDirectory(directory)
        return written
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    async read(name) {
      try {
        return (await open(locate(name))).createReadStream()
      } catch (error) {
        if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
        throw error
      }
    },
    remove: async (name) => await rm(locate(name), { force: true }),
    scratch: directory,
    close: () => {},
  }
}

/** Each part is held in memory. An upload has at most 10,000 parts, so an archive can have 640 GB. */
const partBytes = 64 * 1024 * 1024
const partTimeoutMs = 300_000

async function openBucket(
  { bucket: Bucket, key: prefix }: { bucket: string; key: string },
  access: S3Access,
  scratch: string,
): Promise<ArchiveStore> {
  const { DeleteObjectCommand, GetObjectCommand, NoSuchKey } = await import('@aws-sdk/client-s3')
  const { Upload } = await import('@aws-sdk/lib-storage')
  const client = await openS3Client(access, partTimeoutMs)
  const keyOf = (name: string): string => (prefix === '' ? name : `${prefix.replace(/\/$/, '')}/${name}`)
  const read = async (name: string): Promise<Readable | null> => {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(name) }))
      return Body as Readable
    } catch (error) {
      if (error instanceof NoSuchKey) return null
      throw error
    }
  }
  const remove = async (name: string): Promise<void> =>
    void (await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) })))
  return {
    locate: (name) => `s3://${Bucket}/${keyOf(name)}`,
    /** The archive has its name while it is checked: a bucket has no rename. */
    async save(name, { write, check, signal }) {
      await removeLeftovers(scratch)
      const body = addAbortSignal(signal, new PassThrough())
      const upload = new Upload({
        client,
        params: { Bucket, Key: keyOf(name), Body: body },
        partSize: partBytes,
        queueSize: 1,
      })
      // Each waits for the other, so the failure of one ends both; and neither is left running.
      const fail = (error: unknown): never => {
        body.destroy(error as Error)
        throw error
      }
      const [written] = await bothEnded(write(body).catch(fail), upload.done().catch(fail))
      try {
        await check(async () => await opened(read(name)))
        return written
      } catch (error) {
        await remove(name)
        throw error
      }
    },
    read,
    remove,
    scratch,
    close: () => client.destroy(),
  }
}

/** Waits for both. @throws the error of the first that failed */
async function bothEnded<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second])
  return await Promise.all([first, second])
}

async function opened(reading: Promise<Readable | null>): Promise<Readable> {
  const archive = await reading
  if (archive === null) throw new Error('The archive was not there after its upload.')
  return archive
}
