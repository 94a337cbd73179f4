/**
 * Runs test files one after another in this process, each as a suite: loading the application takes longer than most files run. A file
 * fails if it leaves the process changed for the next one, or if it never ran.
 */
import assert from 'node:assert/strict'
import { relative } from 'node:path'
import { after, before, describe } from 'node:test'
import { pathToFileURL } from 'node:url'

/** Declares the tests of these files. */
export function declareFiles(files: readonly string[]): void {
  const open = new Set(files)
  for (const file of files) {
    describe(relative(process.cwd(), file), async () => {
      let atFirst: ReturnType<typeof ofTheProcess>
      before(() => {
        atFirst = ofTheProcess()
      })
      try {
        await import(pathToFileURL(file).href)
      } catch (error) {
        open.delete(file)
        throw error
      }
      // After the file's own, which are registered by now.
      after(() => {
        open.delete(file)
        assert.deepEqual(ofTheProcess(), atFirst, 'it left the process changed')
      })
    })
  }
  process.once('exit', () => {
    if (open.size === 0) return
    process.exitCode = 1
    process.stderr.write(`The process ended before these had: ${[...open].join(', ')}\n`)
  })
}

function ofTheProcess() {
  // sharp sets it when it is loaded.
  const { VIPSHOME: _, ...environment } = process.env
  return {
    directory: process.cwd(),
    environment,
    fetch: globalThis.fetch,
    now: Date.now,
  }
}
