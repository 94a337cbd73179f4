/** Reads where photos and backups are kept: in directories or buckets. */
import { Cron } from 'croner'
import { resolve } from 'node:path'
import type { S3Access } from '../outside/s3-client.ts'
import { ConfigError, type Reader } from './settings-reader.ts'

export type S3Config = S3Access & Readonly<{ bucket: string }>

export function readStores(reader: Reader) {
  const { text, integer } = reader
  const bucket = text('S3_BUCKET')
  const backupTo = readBackupTo(text('BACKUP_TO'))
  const needsAccess =
    bucket !== null ? 'S3_BUCKET' : backupTo?.startsWith('s3://') === true ? 'BACKUP_TO' : null
  const s3Access = readS3Access(reader, needsAccess)
  return {
    /** For buckets of photos and of backups. Null: none is configured. */
    s3Access,
    /** Null: photos are files under dataDir. */
    s3: s3Access === null || bucket === null ? null : { ...s3Access, bucket },
    /** Where routine backups go: an absolute path, or s3://BUCKET/PREFIX. Null: none are made. */
    backupTo,
    /** When the worker makes them, in cron syntax. Null: never. */
    backupSchedule: readBackupSchedule(text('BACKUP_SCHEDULE'), backupTo),
    /** How many of them are kept. */
    backupKeep: integer('BACKUP_KEEP', 7, 1, 1000),
  }
}

/** @param neededBy the setting that names a bucket; null: none does */
function readS3Access({ text, url, oneOf }: Reader, neededBy: string | null): S3Access | null {
  const endpoint = url('S3_ENDPOINT', ['http:', 'https:'])
  const accessKeyId = text('S3_ACCESS_KEY_ID')
  const secretAccessKey = text('S3_SECRET_ACCESS_KEY')
  if (neededBy === null && endpoint !== null && accessKeyId === null)
    throw new ConfigError('S3_BUCKET is missing: S3_ENDPOINT needs it.')
  if (neededBy !== null && accessKeyId === null)
    throw new ConfigError(`S3_ACCESS_KEY_ID is missing: ${neededBy} needs it.`)
  if (neededBy !== null && secretAccessKey === null)
    throw new ConfigError(`S3_SECRET_ACCESS_KEY is missing: ${neededBy} needs it.`)
  if (accessKeyId === null || secretAccessKey === null) return null
  return {
    endpoint,
    region: text('S3_REGION') ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    forcePathStyle: oneOf('S3_PATH_STYLE', ['on', 'off'], endpoint === null ? 'off' : 'on') === 'on',
  }
}

function readBackupTo(value: string | null): string | null {
  if (value === null || bucketOf(value) !== null) return value
  if (!isUrl(value)) return resolve(value)
  throw new ConfigError(`BACKUP_TO is "${value}": use a directory, or s3://bucket/prefix.`)
}

/** Whether the text is meant as a URL rather than a path. */
export function isUrl(text: string): boolean {
  return /^[a-z0-9]+:/i.test(text)
}

/** The bucket and the key of an `s3://` URL, or null for anything else. The key may be empty. */
export function bucketOf(url: string): { bucket: string; key: string } | null {
  const [, bucket, key = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(\S*))?$/.exec(url) ?? []
  return bucket === undefined ? null : { bucket, key }
}

function readBackupSchedule(value: string | null, to: string | null): string | null {
  if (value === null) return null
  if (to === null) throw new ConfigError('BACKUP_TO is missing: BACKUP_SCHEDULE needs it.')
  try {
    if (nextTime(value, new Date()) !== null) return value
  } catch {}
  throw new ConfigError(
    `BACKUP_SCHEDULE is "${value}": use the five fields of cron, such as "30 3 * * *" for 3:30 every night.`,
  )
}

/** The next time of a schedule after a moment, in the time zone of the process; null if there is none. @throws if it is malformed */
export function nextTime(schedule: string, after: Date): Date | null {
  return new Cron(schedule, { mode: '5-part' }).nextRun(after)
}
