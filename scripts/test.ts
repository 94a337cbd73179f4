/**
 * `npm test`: all tests; words after `--` are test files or folders instead. `npm run test:pages`: those in a browser alone, which then
 * walk every page in every size, language and colour scheme (`waysOf` in test/support/browser.ts).
 *
 * Files share processes, because a process for each would spend most of its time loading the same modules
 * (test/support/shared-process.ts). A file with a line `// alone: why` gets its own process, those with `// in a browser` share two.
 * These start first: they wait for other processes, which leaves time for the rest.
 * `node --test FILE` runs a single file. With TEST_CITUS_URL a file with a line `// not on Citus: why` is left out.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'

/** More than the cores: tests wait for PostgreSQL, browsers and child processes. */
const atOnce = 4
/** Loading the modules takes as long as many a file, so there are few more processes than run at a time. */
const filesPerProcess = 45

const root = join(import.meta.dirname, '..')
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/node')

const found = process.argv.length > 2 ? process.argv.slice(2).flatMap(filesOf) : filesOf(join(root, 'test'))
if (found.length === 0) throw new Error('there is no test')
const files = (process.env['TEST_CITUS_URL'] ?? '') === '' ? found : found.filter(isForCitus)
const {
  browser = [],
  alone = [],
  shared = [],
} = Object.groupBy(files, (file) => {
  const text = readFileSync(file, 'utf8')
  if (/^\/\/ in a browser$/m.test(text)) return 'browser'
  return /^\/\/ alone: \S/m.test(text) ? 'alone' : 'shared'
})

const directory = mkdtempSync(join(tmpdir(), 'listings-tests-'))
// The statements that processes have already judged (test/support/judged.ts).
process.env['TEST_JUDGED'] = join(directory, 'judged')
writeFileSync(process.env['TEST_JUDGED'], '')
try {
  const walks = dealt(browser, 2).map((hand, index) => programOf(`browser-${index + 1}`, hand))
  const others = dealt(shared, Math.ceil(shared.length / filesPerProcess)).map((hand, index) =>
    programOf(`shared-${index + 1}`, hand),
  )
  await runAll(process.env['TEST_PAGES'] === 'every' ? walks : [...walks, ...alone, ...others])
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function isForCitus(file: string): boolean {
  const why = /^\/\/ not on Citus: (\S.*)/m.exec(readFileSync(file, 'utf8'))?.[1]
  if (why !== undefined) process.stdout.write(`﹣ ${relative(root, file)} # not on Citus: ${why}\n`)
  return why === undefined
}

/** Neighbours are alike: dealt out in turn, every process gets some of each kind. */
function dealt(cards: readonly string[], players: number): string[][] {
  const hands: string[][] = Array.from({ length: players }, () => [])
  for (const [index, card] of cards.entries()) hands[index % hands.length]?.push(card)
  return hands.filter((hand) => hand.length > 0)
}

/** A program that runs these files. @returns its path */
function programOf(name: string, hand: readonly string[]): string {
  const path = join(directory, `${name}.mjs`)
  const support = pathToFileURL(join(root, 'test/support/shared-process.ts'))
  writeFileSync(
    path,
    `import { declareFiles } from ${JSON.stringify(support)}\ndeclareFiles(${JSON.stringify(hand)})\n`,
  )
  return path
}

async function runAll(programs: readonly string[]): Promise<void> {
  // All cores are busy: helpers of the garbage collector would only take turns with the tests.
  const execArgv = ['--single-threaded-gc', '--max-semi-space-size=32']
  const events = run({ files: programs, concurrency: atOnce, cwd: root, execArgv })
  events.on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1
  })
  for await (const piece of events.compose(new spec())) process.stdout.write(piece as string)
}

function filesOf(path: string): string[] {
  const full = resolve(path)
  if (statSync(full).isFile()) return [full]
  return globSync('**/*.test.ts', { cwd: full })
    .map((name) => join(full, name))
    .sort()
}
