/** The command line, `npm run -s svc -- COMMAND`: a thin layer over the domain. */
import { once } from 'node:events'
import { run } from './operations/cli/run.ts'

/** Waits for a slow reader of a pipe, so that a long output does not fill the memory. */
async function out(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain')
}

// `head` closes the pipe when it has read enough: nothing to report.
let isReaderGone = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  isReaderGone = true
})

process.exitCode = await run(process.argv.slice(2), {
  settings: async () => (await import('./platform/config/config.ts')).configFromEnvironment(),
  out,
  err: (text) => isReaderGone || process.stderr.write(`${text}\n`),
})
