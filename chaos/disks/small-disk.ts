/** A small separate file system, which can be full or read-only: a tmpfs, so that no real disk is touched. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../src/platform/errors/errors.ts'

/** Why nothing can be mounted here, or false. */
export const skippedWithoutMounts: string | false = findReason()

function findReason(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'listings-mount-'))
  try {
    smallDisk(folder, { megabytes: 1 }).end()
    return false
  } catch (error) {
    return `no file system can be mounted: ${(error as Error).message.trim().split('\n').at(-1)}`
  } finally {
    rmdirSync(folder)
  }
}

export type SmallDisk = {
  /** Takes all free space, up to the last byte. */
  fill(): void
  /** Takes all free inodes: nothing can be created, while existing files can grow. */
  fillInodes(): void
  /** Refuses every change. Fails with EBUSY while a file is open for writing. */
  makeReadOnly(): void
  /** Undoes all of this. */
  heal(): void
  /** Unmounts it; its files are gone. */
  end(): void
}

/** Mounts an empty file system in the folder, which is created if it is missing. */
export function smallDisk(
  folder: string,
  { megabytes, inodes = 0 }: { megabytes: number; inodes?: number },
): SmallDisk {
  mkdirSync(folder, { recursive: true })
  const ballast = join(folder, 'ballast')
  const mount = (...words: string[]): void => void execFileSync('mount', words, { stdio: 'pipe' })
  mount('-t', 'tmpfs', '-o', `size=${megabytes}m,nr_inodes=${inodes},mode=755`, 'tmpfs', folder)
  return {
    fill: () => writeAll(ballast),
    fillInodes() {
      mkdirSync(ballast)
      untilFull((turn) => closeSync(openSync(join(ballast, String(turn)), 'w')))
    },
    makeReadOnly: () => mount('-o', 'remount,ro', folder),
    heal() {
      mount('-o', 'remount,rw', folder)
      rmSync(ballast, { recursive: true, force: true })
    },
    end: () => void execFileSync('umount', [folder], { stdio: 'pipe' }),
  }
}

function writeAll(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (const bytes of [1_048_576, 4_096, 1]) untilFull(() => writeSync(file, Buffer.alloc(bytes)))
  } finally {
    closeSync(file)
  }
}

function untilFull(work: (turn: number) => void): void {
  try {
    for (let turn = 0; ; turn += 1) work(turn)
  } catch (error) {
    if (!hasCode(error, 'ENOSPC')) throw error
  }
}
