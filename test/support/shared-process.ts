/**
 * Test files one after the other in this process, each as a suite of its own: loading the application takes longer than most files
 * run. A file that leaves something of the process changed fails, since the next one would meet it; and none goes missing.
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
  // What draws pictures names its own place there, the first time it does.
  const { VIPSHOME: _, ...environment } = process.env
  return {
    directory: process.cwd(),
    environment,
    fetch: globalThis.fetch,
    now: Date.now,
  }
}
