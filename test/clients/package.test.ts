/** The client's package as users install it: packed, typed, and run on this machine's Node. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type TestApp, testApp } from '../support/app/app.ts'
import { quickDirectory } from '../support/quick-directory.ts'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)
const tsc = join(root, 'node_modules/ts7/bin/tsc')

let app: TestApp
let directory: string
let installed: string

before(async () => {
  directory = mkdtempSync(join(quickDirectory(), 'listings-client-'))
  const source = join(directory, 'source')
  cpSync(join(root, 'clients/typescript'), source, { recursive: true })
  rmSync(join(source, 'dist'), { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: source })
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', directory], {
    cwd: source,
  })
  const project = join(directory, 'project')
  installed = join(project, 'node_modules/@svc/listings-client')
  mkdirSync(installed, { recursive: true })
  const tarball = join(directory, stdout.trim())
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  app = await testApp()
})
after(async () => {
  await app.close()
  rmSync(directory, { recursive: true, force: true })
})

const program = `
import { ListingsClient, ListingsError, type Property } from '@svc/listings-client'
const [, , baseUrl = '', key = ''] = process.argv
const client = new ListingsClient({ baseUrl, key })
const { data } = await client.create({ title: 'Smoke' })
const again: Property = (await client.get(data.id)).data
try {
  await client.enable(data.id)
} catch (error) {
  if (error instanceof ListingsError && error.code === 'not_publishable')
    console.log(again.title, error.missing.join())
}
`

/** Definitions that the README samples expect from their reader. */
const surroundings = `
import type { ListingsClient, Property, PropertyInput } from '@svc/listings-client'
declare global {
  var client: ListingsClient
  var input: PropertyInput
  function storedCursor(): Promise<string | undefined>
  function storeCursor(cursor: string): Promise<void>
  function store(property: Property): Promise<void>
  function remove(id: string): Promise<void>
  function inOneTransaction(work: () => Promise<void>): Promise<void>
}
`

test('the client package type-checks without skipLibCheck, and its README compiles', async () => {
  const project = join(directory, 'project')
  writeFileSync(join(project, 'program.ts'), program)
  writeFileSync(join(project, 'surroundings.ts'), surroundings)
  const readme = readFileSync(join(root, 'clients/typescript/README.md'), 'utf8')
  const samples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, sample = '']) => sample)
  assert.ok(samples.length >= 3)
  for (const [index, sample] of samples.entries())
    writeFileSync(join(project, `sample-${index}.ts`), `${sample}\nexport {}\n`)
  const files = ['program.ts', 'surroundings.ts', ...samples.map((_, index) => `sample-${index}.ts`)]
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  const options = '--module nodenext --target es2022 --lib es2022,dom --strict --types node --outDir out'
  const types = ['--typeRoots', join(root, 'node_modules/@types')]
  await run(process.execPath, [tsc, ...options.split(' '), ...types, ...files], { cwd: project })
})

test('the client package runs on this machine’s Node', async (t) => {
  const node = await nodeOfTheMachine()
  if (node === null) return t.skip('there is no Node 20 or later but the one of these tests')
  const { stdout } = await run(node, ['out/program.js', app.baseUrl, app.writeKey], {
    cwd: join(directory, 'project'),
  })
  assert.equal(stdout, 'Smoke type,operation,address,price,photos\n')
})

/** The first command on the PATH that is not from a package of this project. */
async function nodeOfTheMachine(): Promise<string | null> {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'))
  for (const path of folders
    .map((folder) => join(folder, 'node'))
    .filter((candidate) => existsSync(candidate))) {
    const { stdout } = await run(path, ['--version'])
    if (Number(/^v(\d+)/.exec(stdout)?.[1]) >= 20) return path
  }
  return null
}
