/**
 * `npm run release`: writes the release of the current commit to `release/`, or to the directory after `--to`: a tarball, its SBOM in
 * CycloneDX, and a file for `sha256sum --check`. Uncommitted changes are not part of it. A commit always gives the same bytes, with the
 * Node of package.json and the same npm.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

/** The files that a production start needs, and the documents. Tests, benchmarks and developers' scripts are left out. */
const contents = [
  '.dockerignore',
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
  'clients',
  'deploy',
  'docs',
  'examples',
  'migrations',
  'openapi.json',
  'package-lock.json',
  'package.json',
  'src',
]
const root = join(import.meta.dirname, '..')

const { values } = parseArgs({ options: { to: { type: 'string', default: join(root, 'release') } } })
const commit = git('rev-parse', 'HEAD').toString().trim()
const { name, version } = JSON.parse(textOf('package.json')) as { name: string; version: string }
const title = `${name}-${version}`

mkdirSync(values.to, { recursive: true })
const files: [string, Buffer][] = [
  [`${title}.tar.gz`, tarball()],
  [`${title}.cdx.json`, Buffer.from(`${JSON.stringify(sbom(), null, 2)}\n`)],
]
const sums = files.map(([file, bytes]) => `${sha256(bytes)}  ${file}\n`).join('')
for (const [file, content] of [...files, [`${title}.sha256`, sums] as const])
  writeFileSync(join(values.to, file), content)
process.stdout.write(`${title} of commit ${commit} is in ${values.to}:\n${sums}`)

function git(...words: string[]): Buffer {
  return execFileSync('git', words, { cwd: root, maxBuffer: 2 ** 30 })
}

function textOf(path: string): string {
  return git('show', `${commit}:${path}`).toString()
}

/** Git sorts the names, gives all files to root, and dates them to the commit. The user's settings must not change modes or line ends. */
function tarball(): Buffer {
  const options = ['-c', 'tar.umask=0022', '-c', 'core.autocrlf=false']
  const tar = git(...options, 'archive', '--format=tar', `--prefix=${title}/`, commit, ...contents)
  const bytes = gzipSync(tar, { level: 9 })
  // The header's last byte names the operating system: 255 is "unknown".
  bytes[9] = 255
  return bytes
}

type Sbom = {
  serialNumber: string
  metadata: { timestamp: string; tools?: unknown; component: { name: string } }
}
type Lock = { packages: Record<string, { dev?: boolean; devDependencies?: unknown }> }

/**
 * The packages of production, for all platforms: npm's SBOM, with a serial number and time from the commit, and without npm's version.
 * Development packages are removed first, because npm's `--omit=dev` also omits some packages of production, such as marked.
 */
function sbom(): Sbom {
  const manifest = JSON.parse(textOf('package.json')) as { devDependencies?: unknown }
  const lock = JSON.parse(textOf('package-lock.json')) as Lock
  delete manifest.devDependencies
  delete lock.packages['']?.devDependencies
  lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true))
  const folder = mkdtempSync(join(tmpdir(), 'listings-sbom-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    const words = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
    const found = JSON.parse(execFileSync('npm', words, { cwd: folder, encoding: 'utf8' })) as Sbom
    const seconds = Number(git('show', '--no-patch', '--format=%ct', commit))
    found.serialNumber = `urn:uuid:${uuidOf(`${commit} sbom`)}`
    found.metadata.timestamp = new Date(seconds * 1_000).toISOString()
    // npm takes it from the folder's name.
    found.metadata.component.name = name
    delete found.metadata.tools
    return found
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex')
}

/** A UUID of version 8: bits of a hash. */
function uuidOf(text: string): string {
  const hex = sha256(text)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
