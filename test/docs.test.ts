/**
 * The documents: docs/api.md has the clauses that the code cites and the tables that the code implements, docs/operations/ has its
 * settings and commands, and no link is broken.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { apiTables } from '../scripts/api-tables.ts'
import { clientFields } from '../scripts/client-fields.ts'
import { endpoints } from '../src/api/endpoints.ts'
import { clientErrorCodes } from '../scripts/error-documents.ts'
import { defaultLimits } from '../src/limits/table.ts'
import { run } from '../src/operations/cli/run.ts'
import { knownSettings } from './support/known-settings.ts'

const root = join(import.meta.dirname, '..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const headings = (path: string) => [...text(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)

/** Heading anchors as GitHub generates them. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

test('the code cites clauses of docs/api.md that exist', () => {
  const clauses = new Set(headings('docs/api.md').map((heading) => heading.split(' ', 1)[0]))
  const files = globSync(['{src,test,chaos,bench,scripts}/**/*.{ts,js}', 'examples/**/*.{ts,php,py}'], {
    cwd: root,
  })
  const wrong = files.flatMap((file) =>
    [...text(file).matchAll(/\bapi\.md ((?:\d+(?:\.\d+)?(?:, )?)+)/g)].flatMap(([, cited = '']) =>
      cited
        .split(', ')
        .filter((clause) => clause !== '' && !clauses.has(clause))
        .map((clause) => `${file}: ${clause}`),
    ),
  )
  assert.deepEqual(wrong, [])
})

test('docs/api.md matches the table of fields, from which `npm run openapi` generates parts of it', () => {
  assert.equal(text('docs/api.md'), apiTables(text('docs/api.md')))
  assert.equal(text('clients/typescript/src/sync/listing-fields.ts'), clientFields())
})

/** The rows of a clause's tables: the names in backticks from their first two cells. */
function rowsOf(clause: string): string[][] {
  const [, section = ''] = text('docs/api.md').split(`\n### ${clause} `)
  const [own = ''] = section.split('\n#')
  return [...own.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | '))
}
const named = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

test('docs/api.md has the endpoints and limits of the code', () => {
  const documented = rowsOf('15.1').flatMap(([method, path, scope = '']) =>
    named(path).map((name) => `${method} ${name} ${named(scope)[0] ?? scope}`),
  )
  assert.deepEqual(
    // `/me` accepts any key except one with `leads:*` alone.
    documented.map((row) => row.replace('leads:*', 'any')),
    endpoints.map(({ method, path, scope }) => `${method} ${path} ${scope}`),
  )
  const limits = rowsOf('6.1').flatMap(([names, maxima = '']) =>
    named(names).map((name, index) => `${name} ${maxima.split(', ')[index]?.replaceAll(',', '')}`),
  )
  const ofKeysAndListings = /^(reads|writes|new|photos|geocoding|state|disables|enables)_/
  assert.deepEqual(
    limits,
    Object.entries(defaultLimits)
      .filter(([name]) => ofKeysAndListings.test(name))
      .map(([name, { max }]) => `${name} ${max}`),
  )
})

test('docs/operations/settings.md has the settings that the code reads', () => {
  const page = text('docs/operations/settings.md')
  const rows = [...page.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) => named(cell))
  const files = [...page.matchAll(/`(\w+_FILE)`/g)].map(([, name = '']) => name)
  assert.deepEqual([...rows, ...files].sort(), [...knownSettings()].sort())
})

test('docs/operations/command-line.md shows the help of the command line', async () => {
  const [, shown] =
    /^\$ npm run -s svc -- --help\n([^]*?)…\n```$/m.exec(text('docs/operations/command-line.md')) ?? []
  let help = ''
  await run(['--help'], {
    settings: () => assert.fail(),
    out: (output) => (help = output),
    err: assert.fail,
  })
  assert.equal(shown, help.slice(0, help.indexOf('\nEvery command takes')))
})

test('the client has the error codes of the catalogue', () => {
  assert.equal(text('clients/typescript/src/error-codes.ts'), clientErrorCodes())
})

const documents = globSync(['*.md', '{bench,deploy,docs,examples,src,test}/**/*.md', 'clients/*/*.md'], {
  cwd: root,
})

test('links point to files and headings that exist', () => {
  assert.ok(documents.includes('README.md') && documents.includes('docs/api.md'))
  const wrong = documents.flatMap((document) =>
    [...text(document).matchAll(/\]\(([^):\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => {
        const [path = '', fragment] = target.split('#')
        const file = path === '' ? document : join(dirname(document), path)
        if (!existsSync(join(root, file))) return true
        return fragment !== undefined && !headings(file).map(anchor).includes(fragment)
      })
      .map((target) => `${document}: ${target}`),
  )
  assert.deepEqual(wrong, [])
})

test('source files and folders named in documents exist', () => {
  const files = globSync('{src,test,scripts,bench,chaos,clients,deploy,examples}/**/*.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
  const names = new Set(files.map((file) => basename(file)))
  const exists = (path: string) =>
    path.includes('/')
      ? ['', 'src', 'test'].some((folder) => existsSync(join(root, folder, path)))
      : names.has(path)
  const wrong = documents.flatMap((document) =>
    [...text(document).matchAll(/`([a-z][a-z/-]*(?:(?:\.test)?\.ts|\/[a-z-]+\/))`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !exists(path))
      .map((path) => `${document}: ${path}`),
  )
  assert.deepEqual(wrong, [])
})

test('every decision has the sections that docs/adr/README.md names', () => {
  const parts = /^Status,Context,Decision,(Alternatives,)?Consequences,What would change this$/
  for (const file of globSync('docs/adr/0*.md', { cwd: root })) {
    const found = [...text(file).matchAll(/^## (.+)$|^(Status): \S/gm)].map(
      ([, part, status]) => part ?? status,
    )
    assert.match(found.join(), parts, file)
  }
})

test('docs/adr/README.md lists every decision with its title and status', () => {
  const rows = text('docs/adr/README.md')
    .split('\n')
    .filter((line) => line.startsWith('| ['))
  const decisions = globSync('docs/adr/0*.md', { cwd: root })
    .sort()
    .map((file) => {
      const [, number = '', title = '', status = ''] =
        /^# (\d{4}) (.+)\n\nStatus: ([^]+?)\n\n/.exec(text(file)) ?? assert.fail(file)
      return `| [${number}](${basename(file)}) | ${title} | ${status.replaceAll('\n', ' ')} |`
    })
  assert.deepEqual(rows, decisions)
})

test('the repository has no empty file', { skip: !existsSync(join(root, '.git')) }, () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  const empty = tracked.filter(
    (file) => file !== '' && existsSync(join(root, file)) && statSync(join(root, file)).size === 0,
  )
  assert.deepEqual(empty, [])
})
