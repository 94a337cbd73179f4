/** Clients generated from openapi.json: they compile under strict rules, and the compiled programs work against the service. */
// alone: the generators and the compiler load a lot that nothing else needs
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { photoUrls, type TestApp, testApp } from '../../support/app/app.ts'
import { quickDirectory } from '../../support/quick-directory.ts'
import type { Report, Task } from './generators/task.ts'
import { signature, stamp } from '../admission/signed-requests.ts'

const root = join(import.meta.dirname, '../../..')
const programs = ['openapi-fetch', 'hey-api', 'orval']
const directory = mkdtempSync(join(quickDirectory(), 'listings-generated-'))

/** Compiler options of a careful project. */
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

let t: TestApp
before(async () => {
  cpSync(join(import.meta.dirname, 'generators'), directory, { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  const config = { compilerOptions, files: programs.map((name) => `${name}.ts`) }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module' }))
  t = await testApp()
  const generate = join(import.meta.dirname, 'generators/generate.ts')
  await node(generate, join(root, 'openapi.json'), directory, `${t.baseUrl}/api/v1`)
})
after(async () => {
  await t.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Runs a Node script; its output is shown only if it fails. */
async function node(...parameters: string[]): Promise<void> {
  const { error, text } = await new Promise<{ error: Error | null; text: string }>((resolve) => {
    execFile(process.execPath, parameters, { cwd: root }, (error, stdout, stderr) =>
      resolve({ error, text: stdout + stderr }),
    )
  })
  assert.equal(error, null, text)
}

test('generated clients compile, and so do programs that use them', async () => {
  await node(join(root, 'node_modules/ts7/bin/tsc'), '--project', directory)
})

for (const program of programs) {
  test(`a program written with ${program} completes its task`, async () => {
    const { agency, writeKey } = await t.newAgency()
    const signed = await t.newKey(agency.id, { scopes: ['properties:read'], signature_required: true })
    const timestamp = await stamp(t)
    const [first = '', second = ''] = photoUrls(2)
    const { run } = (await import(pathToFileURL(join(directory, `${program}.ts`)).href)) as {
      run(task: Task): Promise<Report>
    }
    const report = await run({
      baseUrl: `${t.baseUrl}/api/v1`,
      key: writeKey,
      signedKey: signed.key,
      sign: (method, path) => ({
        'X-Svc-Timestamp': timestamp,
        'X-Svc-Signature': signature(signed.signing_secret ?? '', timestamp, { method, path }),
      }),
      photos: [first, second, first],
    })
    const { id } = report.created
    assert.deepEqual(report, {
      created: { id, missing: ['operation', 'address', 'photos'] },
      listed: [id],
      selected: { id, title: undefined },
      batch: [
        201,
        'external_id_exists',
        200,
        'invalid_parameter',
        'not_publishable',
        200,
        'invalid_parameter',
      ],
      photos: ['stored', 'stored', 'duplicate'],
      set: ['kept', 'kept'],
      changes: ['deleted', 'Casa con jardín'],
      tried: { id: null, new_listings: 1 },
      refused: ['not_publishable', 'operation', 'photos'],
      agency: agency.slug,
    })
  })
}
