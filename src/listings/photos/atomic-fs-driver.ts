/**
 * flydrive's driver for files, made safe against crashes: a file appears whole or not at all, and survives. The original driver writes in
 * place and opens files late.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { FSDriver } from 'flydrive/drivers/fs'

export class AtomicFsDriver extends FSDriver {
  /** Writes a temporary file in the same folder first; a file left by a crash is deleted with the folder. */
  override async put(key: string, contents: string | Uint8Array): Promise<void> {
    const path = this.#path(key)
    const folder = dirname(path)
    await mkdir(folder, { recursive: true })
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
    for (let above = folder; !relative(this.#root(), above).startsWith('..'); above = dirname(above))
      await syncFolder(above)
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
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
