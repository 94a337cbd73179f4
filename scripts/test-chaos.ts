/**
 * `npm run test:chaos`: runs the files of chaos/ one at a time, or the test files and folders named after `--`, and ends with a table
 * of what ran, what was skipped and why, and what never ran. Ctrl-C ends it with the table so far. The exit code is 0 only if every file
 * ran and no test failed.
 */
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { filesOf } from './test-files.ts'

type Row = {
  passed: number
  failed: number
  skipped: number
  seconds: number
  hasStarted: boolean
  hasEnded: boolean
  notes: Set<string>
}

/** The part of the runner's events that the table needs. A file may import the tests of another one: `entryFile` is the first. */
type Event = {
  name?: string
  file?: string
  entryFile?: string
  skip?: string | boolean
  details?: {
    type?: string
    duration_ms?: number
    error?: Error & { failureType?: string; exitCode?: number; signal?: string | null }
  }
}

const root = join(import.meta.dirname, '..')
const paths = process.argv.slice(2)
const files = (paths.length > 0 ? paths : [join(root, 'chaos')]).flatMap(filesOf)
const rows = new Map(files.map((file) => [file, newRow()]))

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())
const events = run({ files, concurrency: 1, cwd: root, signal: interrupt.signal })
events.on('test:dequeue', (event: Event) => {
  if (!interrupt.signal.aborted) rowOf(event).hasStarted = true
})
events.on('test:pass', (event: Event) => count(event, 'passed'))
events.on('test:fail', (event: Event) => count(event, 'failed'))
events.on('test:summary', (event) => {
  rowOf(event).hasEnded = true
  if (!event.success) process.exitCode = 1
})
events.on('test:complete', (event: Event) => {
  if (isWholeFile(event)) rowOf(event).seconds = (event.details?.duration_ms ?? 0) / 1_000
})
for await (const piece of events.compose(new spec())) process.stdout.write(piece as string)

process.stdout.write(`\n${tableOf(rows)}\n`)
if ([...rows.values()].some(({ hasEnded }) => !hasEnded)) process.exitCode = 1

function newRow(): Row {
  return {
    passed: 0,
    failed: 0,
    skipped: 0,
    seconds: 0,
    hasStarted: false,
    hasEnded: false,
    notes: new Set(),
  }
}

function rowOf({ file = '', entryFile = file }: Event): Row {
  return rows.get(entryFile) ?? newRow()
}

/** The runner reports a file's process as a test, named by the path. */
function isWholeFile({ name, file }: Event): boolean {
  return name === file
}

function count(event: Event, outcome: 'passed' | 'failed'): void {
  const row = rowOf(event)
  if (isWholeFile(event)) return noteEnd(row, event)
  if (event.skip !== undefined && event.skip !== false) {
    row.skipped += 1
    row.notes.add(`skipped: ${event.skip === true ? 'no reason given' : event.skip}`)
  } else if (event.details?.type !== 'suite') row[outcome] += 1
}

/** A process that runs all its tests reports a summary before it ends. */
function noteEnd(row: Row, { details }: Event): void {
  const { failureType, exitCode, signal } = details?.error ?? {}
  if (failureType === 'hookFailed') row.notes.add('a hook failed')
  else if (!row.hasStarted) row.notes.add('never ran')
  else if (interrupt.signal.aborted) row.notes.add('interrupted')
  else if (!row.hasEnded) row.notes.add(`ended early, with ${signal ?? `code ${exitCode ?? 0}`}`)
}

function tableOf(all: ReadonlyMap<string, Row>): string {
  const lines = [...all].map(([file, { passed, failed, skipped, seconds, notes }]) => {
    const cells = [passed, failed, skipped, seconds.toFixed(1)].map((cell) => String(cell).padStart(8))
    return [relative(root, file).padEnd(36), ...cells, `  ${[...notes].join('; ')}`].join('').trimEnd()
  })
  const heads = ['passed', 'failed', 'skipped', 'seconds'].map((head) => head.padStart(8))
  return [['file'.padEnd(36), ...heads].join(''), ...lines].join('\n')
}
