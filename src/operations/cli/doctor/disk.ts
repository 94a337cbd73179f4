/** Checks the disks of DATA_DIR: the embedded database, photos and map tiles may be on disks of their own. */
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesText, gib, mib } from '../output.ts'
import type { Finding } from './check.ts'

export type Disk = Readonly<{
  path: string
  bytes: number
  freeBytes: number
  /** The number of files that the file system can still store; null if it has no limit. */
  freeFiles: number | null
}>

/** With less, a disk is full: PostgreSQL writes its log in pieces of 16 MiB, and ends when there is no room for the next one. */
const full = { bytes: 512 * mib, files: 1_000 }
/** A disk is nearly full below both, so a large disk with 20 GiB free is not. The alert ListingsDiskFull has the same share. */
const low = { share: 0.08, bytes: 20 * gib }

export async function describeDisk(dataDir: string): Promise<Finding> {
  return judgeDisks(await findDisks(dataDir))
}

/** @throws if one is full */
export function judgeDisks(disks: readonly Disk[]): Finding {
  const fullOnes = disks.filter(
    ({ freeBytes, freeFiles }) => freeBytes < full.bytes || (freeFiles ?? full.files) < full.files,
  )
  if (fullOnes.length > 0) throw new Error(`full: ${fullOnes.map(describeOne).join('; ')}`)
  const lowOnes = disks.filter(
    ({ bytes, freeBytes }) => freeBytes < low.share * bytes && freeBytes < low.bytes,
  )
  if (lowOnes.length > 0) return { warning: `nearly full: ${lowOnes.map(describeOne).join('; ')}` }
  return disks.map(describeOne).join('; ')
}

function describeOne({ path, bytes, freeBytes, freeFiles }: Disk): string {
  const files = freeFiles !== null && freeFiles < full.files ? `, and room for only ${freeFiles} files` : ''
  return `${path} has ${bytesText(freeBytes)} of ${bytesText(bytes)} free${files}`
}

/** The disks of DATA_DIR and of the directories in it, each once. */
async function findDisks(dataDir: string): Promise<Disk[]> {
  const names = await readdir(dataDir)
  const disks = new Map<number, Disk>()
  for (const path of [dataDir, ...names.map((name) => join(dataDir, name))]) {
    const found = await stat(path).catch(() => null)
    if (found?.isDirectory() !== true || disks.has(found.dev)) continue
    const { bsize, blocks, bavail, files, ffree } = await statfs(path)
    disks.set(found.dev, {
      path,
      bytes: blocks * bsize,
      freeBytes: bavail * bsize,
      freeFiles: files === 0 ? null : ffree,
    })
  }
  return [...disks.values()]
}
