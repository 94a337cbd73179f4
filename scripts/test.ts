/**
 * `npm test`: runs all tests, or the test files and folders named after `--`. `npm run test:pages`: runs only the tests in a browser, which
 * then visit every page in every size, language and colour scheme (`waysOf` in test/support/browser/browser.ts).
 *
 * Files share processes, because a process for each would spend most of its time loading the same modules
 * (test/support/programs/shared-process.ts). A file with a line `// alone: why` gets its own process. Files with `// in a browser` share
 * another; those with `// in a browser, by test:pages` run only with that command.
 *
 * `node --test FILE` runs a single file. With TEST_CITUS_URL, files with a line `// not on Citus: why` are skipped.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
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

const isEveryPage = process.env['TEST_PAGES'] === 'every'
/** One process and its browser keep a core busy. */
const browserProcesses = isEveryPage ? 2 : 1
const found =
  process.argv.length > 2
    ? process.argv.slice(2).flatMap(filesOf)
    : filesOf(join(root, 'test')).filter(isForAll)
const files = (process.env['TEST_CITUS_URL'] ?? '') === '' ? found : found.filter(isForCitus)
const {
  browser = [],
  alone = [],
  shared = [],
} = Object.groupBy(files, (file) => {
  const text = readFileSync(file, 'utf8')
  if (/^\/\/ in a browser\b/m.test(text)) return 'browser'
  return /^\/\/ alone: \S/m.test(text) ? 'alone' : 'shared'
})

const directory = mkdtempSync(join(tmpdir(), 'listings-tests-'))
// Lists the statements that a test process has already checked (test/support/database/judged.ts).
process.env['TEST_JUDGED'] = join(directory, 'judged')
writeFileSync(process.env['TEST_JUDGED'], '')
try {
  const walks = programsOf('browser', browser, browserProcesses)
  const others = programsOf('shared', shared, sharedProcesses)
  await runAll(isEveryPage ? walks : [...walks, ...others, ...alone])
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function isForAll(file: string): boolean {
  return isEveryPage || !/^\/\/ in a browser, by test:pages$/m.test(readFileSync(file, 'utf8'))
}

function isForCitus(file: string): boolean {
  const why = /^\/\/ not on Citus: (\S.*)/m.exec(readFileSync(file, 'utf8'))?.[1]
  if (why !== undefined) process.stdout.write(`﹣ ${relative(root, file)} # not on Citus: ${why}\n`)
  return why === undefined
}

/** Programs that run these files together: each takes the next file from one queue. The largest come first, so that all end together. */
function programsOf(name: string, shares: readonly string[], count: number): string[] {
  const claims = join(directory, name)
  mkdirSync(claims)
  const queue = shares.toSorted((a, b) => statSync(b).size - statSync(a).size)
  const support = pathToFileURL(join(root, 'test/support/programs/shared-process.ts'))
  return Array.from({ length: Math.min(count, queue.length) }, (_, index) => {
    const path = join(directory, `${name}-${index + 1}.mjs`)
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
