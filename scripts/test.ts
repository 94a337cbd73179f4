/**
 * `npm test` runs all tests except those in a browser, which are the files with a line `// in a browser`; `npm run test:pages` runs these.
 * With paths after `--`, both run those files and folders.
 *
 * Files share processes, because a process for each would spend most of its time loading the same modules
 * (test/support/programs/shared-process.ts). A file with a line `// alone: why` gets its own process.
 *
 * `node --test FILE` runs a single file. With TEST_CITUS_URL, files with a line `// not on Citus: why` are skipped.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { filesOf } from './test-files.ts'

/**
 * Maximum processes at a time: more than the cores, because tests wait for PostgreSQL, browsers and child processes. Still more would use
 * more CPU in total: each loads and compiles the application.
 */
const atOnce = 5
const sharedProcesses = 3
/** A process that runs for longer than this, many times the usual, waits for something that will not happen. */
const hangMs = 1_800_000

const root = join(import.meta.dirname, '..')
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/node')

const { values, positionals } = parseArgs({
  options: { browser: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const found =
  positionals.length > 0
    ? positionals.flatMap(filesOf)
    : filesOf(join(root, 'test')).filter((file) => hasLine(file, /^\/\/ in a browser$/m) === values.browser)
const files = (process.env['TEST_CITUS_URL'] ?? '') === '' ? found : found.filter(isForCitus)
const alone = files.filter((file) => hasLine(file, /^\/\/ alone: \S/m))
const shared = files.filter((file) => !alone.includes(file))

const directory = mkdtempSync(join(tmpdir(), 'listings-tests-'))
// Lists the statements that a test process has already checked (test/support/database/judged.ts).
process.env['TEST_JUDGED'] = join(directory, 'judged')
writeFileSync(process.env['TEST_JUDGED'], '')
try {
  await runAll([...sharingPrograms(), ...alone])
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function hasLine(file: string, line: RegExp): boolean {
  return line.test(readFileSync(file, 'utf8'))
}

function isForCitus(file: string): boolean {
  const why = /^\/\/ not on Citus: (\S.*)/m.exec(readFileSync(file, 'utf8'))?.[1]
  if (why !== undefined) process.stdout.write(`﹣ ${relative(root, file)} # not on Citus: ${why}\n`)
  return why === undefined
}

/** Programs that each take the next file from one queue. The largest come first, so that all end together. */
function sharingPrograms(): string[] {
  const claims = join(directory, 'claims')
  mkdirSync(claims)
  const queue = shared.toSorted((a, b) => statSync(b).size - statSync(a).size)
  const support = pathToFileURL(join(root, 'test/support/programs/shared-process.ts'))
  return Array.from({ length: Math.min(sharedProcesses, queue.length) }, (_, index) => {
    const path = join(directory, `shared-${index + 1}.mjs`)
    writeFileSync(
      path,
      `import { runFiles } from ${JSON.stringify(support)}\nawait runFiles(${JSON.stringify(queue)}, ${JSON.stringify(claims)})\n`,
    )
    return path
  })
}

async function runAll(programs: readonly string[]): Promise<void> {
  // All cores are busy: helper threads of the garbage collector would only compete with the tests.
  const execArgv = ['--single-threaded-gc', '--max-semi-space-size=32']
  const events = run({ files: programs, concurrency: atOnce, cwd: root, execArgv, timeout: hangMs })
  events.on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1
  })
  for await (const piece of events.compose(new spec())) process.stdout.write(piece as string)
}
