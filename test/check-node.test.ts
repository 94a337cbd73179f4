/** A Node older than package.json names ends with one line, before it parses TypeScript. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'listings-node-'))
mkdirSync(join(folder, 'src'))
cpSync(join(root, 'src', 'check-node.cjs'), join(folder, 'src', 'check-node.cjs'))
writeFileSync(join(folder, 'src', 'server.ts'), 'enum NotStripped {}\n')
after(() => rmSync(folder, { recursive: true }))

function startWith(engine: string) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', engines: { node: engine } }))
  return spawnSync(process.execPath, ['--require', './src/check-node.cjs', 'src/server.ts'], {
    cwd: folder,
    encoding: 'utf8',
  })
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
for (const engine of [
  `>=${major}.${minor + 1}.0`,
  `>=${major + 1}.0.0`,
  `^${major}.${minor + 1}.0 || >=${major + 1}.1.0`,
  // A newer major version may lack what the older one has got since.
  `^${major - 1}.0.0 || >=${major + 1}.0.0`,
])
  test(`${process.version} is refused where ${engine} is needed`, () => {
    const { status, stdout, stderr } = startWith(engine)
    assert.deepEqual([status, stdout], [1, ''])
    assert.equal(stderr, `The service needs Node.js ${engine}. ${process.execPath} is ${process.version}.\n`)
  })

test('every other version passes the check, so that this Node parses the sources and rejects them', () => {
  for (const engine of [
    `>=${major}.${minor}.0`,
    `^${major}.0.0`,
    `>=${major - 1}.${minor + 1}.0`,
    `^${major}.0.0 || >=${major + 2}.0.0`,
  ])
    assert.match(startWith(engine).stderr, /ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX/, engine)
})

test('every start command loads the check', () => {
  const { scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.match(engines.node, /^(?:\^|>=)\d+\.\d+\.\d+( \|\| >=\d+\.\d+\.\d+)?$/)
  for (const name of ['start', 'worker', 'svc'])
    assert.match(scripts[name], /--require \.\/src\/check-node\.cjs src\//, name)
})
