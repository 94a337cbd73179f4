/**
 * Runs test files one at a time in this process, each as a suite: loading the application takes longer than most files run. A file fails if
 * it changes global state for the next one, or if it never ran.
 */
import assert from 'node:assert/strict'
import { closeSync, openSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, before, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

/** Runs those of these files that no other process has claimed. A claim is a file in `claims`, a directory that the processes share. */
export async function runFiles(files: readonly string[], claims: string): Promise<void> {
  let open: string | undefined
  process.once('exit', () => {
    if (open === undefined) return
    process.exitCode = 1
    process.stderr.write(`The process ended before ${open} had\n`)
  })
  for (const [index, file] of files.entries()) {
    if (!claim(join(claims, String(index)))) continue
    open = file
    await runFile(file)
    open = undefined
  }
}

/** @returns false if another process has created it already */
function claim(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function runFile(file: string): Promise<void> {
  return new Promise((resolve) => {
    describe(relative(process.cwd(), file), async () => {
      let atFirst: ReturnType<typeof ofTheProcess>
      before(() => {
        atFirst = ofTheProcess()
      })
      try {
        await import(pathToFileURL(file).href)
      } catch (error) {
        resolve()
        throw error
      }
      // Runs after the file's own hooks, which are registered by now.
      after(() => {
        resolve()
        assert.deepEqual(ofTheProcess(), atFirst, 'it left the process changed')
      })
    })
  })
}

function ofTheProcess() {
  // sharp sets it on loading.
  const { VIPSHOME: _, ...environment } = process.env
  return {
    directory: process.cwd(),
    environment,
    fetch: globalThis.fetch,
    now: Date.now,
  }
}
