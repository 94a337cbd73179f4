#!/usr/bin/env node
/**
 * The command `listings-client`.
 */
import { run } from './sync/run.ts'

const stop = new AbortController()
const abort = new AbortController()
/** How long a running request may take to end after an interrupt. */
const graceMs = 10_000
// The first signal ends the run after the request in progress, the second at once. The next run finds out that request's outcome.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stop.signal.aborted) abort.abort(new Error('interrupted'))
    stop.abort(new Error('interrupted'))
    setTimeout(() => abort.abort(new Error('interrupted')), graceMs).unref()
  })

// The reader of the output may close it; running work continues.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exitCode = await run({
  words: process.argv.slice(2),
  environment: process.env,
  out: process.stdout,
  err: process.stderr,
  stop: stop.signal,
  abort: abort.signal,
})
