/** `npm run release`: two releases of a commit are the same, byte for byte, and contain what a production start needs, and no tests. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

type Manifest = { version: string; dependencies: Record<string, string> }
type Lock = { packages: Record<string, { version: string; dev?: boolean }> }
type Sbom = {
  bomFormat: string
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; version: string } }
  components: { name: string; group?: string; version: string }[]
}

const root = join(import.meta.dirname, '..', '..')
const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

describe('a release', { skip: existsSync(join(root, '.git')) ? false : 'not a checkout of git' }, () => {
  const folders: string[] = []
  let manifest: Manifest
  let title: string
  const read = (folder: string | undefined, ending: string): Buffer =>
    readFileSync(join(String(folder), `${title}.${ending}`))

  before(() => {
    manifest = JSON.parse(git('show', 'HEAD:package.json')) as Manifest
    title = `property-listing-api-${manifest.version}`
    for (let turn = 0; turn < 2; turn += 1) {
      const folder = mkdtempSync(join(tmpdir(), 'listings-release-'))
      folders.push(folder)
      // An umask, a time zone and a language of its own.
      execFileSync(
        'sh',
        [
          '-c',
          `umask ${['077', '000'][turn]} && exec "$0" scripts/release.ts --to ${folder}`,
          process.execPath,
        ],
        {
          cwd: root,
          env: {
            ...process.env,
            TZ: ['UTC', 'America/Argentina/Salta'][turn],
            LC_ALL: ['C', 'C.UTF-8'][turn],
          },
          stdio: ['ignore', 'ignore', 'inherit'],
        },
      )
    }
  })
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true })
  })

  test('is reproducible, byte for byte', () => {
    const [first = '', second = ''] = folders
    assert.deepEqual(readdirSync(first).sort(), [`${title}.cdx.json`, `${title}.sha256`, `${title}.tar.gz`])
    for (const ending of ['cdx.json', 'sha256', 'tar.gz'])
      assert.ok(read(first, ending).equals(read(second, ending)), ending)
  })

  test('has checksums that sha256sum accepts', () => {
    const lines = execFileSync('sha256sum', ['--check', `${title}.sha256`], {
      cwd: folders[0],
      encoding: 'utf8',
    })
    assert.equal(lines, `${title}.tar.gz: OK\n${title}.cdx.json: OK\n`)
  })

  test('contains a production start and the documents, for root, as of the commit', () => {
    const lines = execFileSync('tar', ['-tvz', '--utc', '--numeric-owner', '-f', `${title}.tar.gz`], {
      cwd: folders[0],
      encoding: 'utf8',
    })
    const entries = [...lines.matchAll(/^(\S+) (\S+) +\d+ (\S+ \S+) (\S+)$/gm)]
    const paths = entries.map(([, , , , path = '']) => path.replace(`${title}/`, ''))
    assert.equal(entries.length, lines.trimEnd().split('\n').length)
    const tops = new Set(paths.map((path) => path.split('/', 1)[0]))
    for (const top of ['test', 'chaos', 'bench', 'scripts', 'node_modules', '.ci'])
      assert.ok(!tops.has(top), top)
    for (const path of [
      'package-lock.json',
      'src/server.ts',
      'src/check-node.cjs',
      'deploy/systemd/svc@.service',
      'docs/operations.md',
    ])
      assert.ok(paths.includes(path), path)
    assert.deepEqual(new Set(entries.map(([, , owner]) => owner)), new Set(['0/0']))
    assert.deepEqual(
      new Set(entries.map(([, mode]) => mode)),
      new Set(['drwxr-xr-x', '-rw-r--r--', '-rwxr-xr-x']),
    )
    const committedAt = new Date(Number(git('show', '--no-patch', '--format=%ct')) * 1_000).toISOString()
    assert.deepEqual(
      new Set(entries.map(([, , , at]) => at)),
      new Set([committedAt.slice(0, 16).replace('T', ' ')]),
    )
  })

  test('has an SBOM of the packages of production', () => {
    const sbom = JSON.parse(read(folders[0], 'cdx.json').toString()) as Sbom
    assert.equal(sbom.bomFormat, 'CycloneDX')
    assert.match(sbom.serialNumber, /^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.equal(`${sbom.metadata.component.name}-${sbom.metadata.component.version}`, title)
    const names = sbom.components.map(
      ({ group, name, version }) => `${group ? `${group}/` : ''}${name} ${version}`,
    )
    const { packages } = JSON.parse(git('show', 'HEAD:package-lock.json')) as Lock
    const expected = Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)} ${version}`)
    assert.deepEqual(names.sort(), [...new Set(expected)].sort())
    assert.ok(names.includes(`sharp ${manifest.dependencies['sharp']}`))
  })
})
