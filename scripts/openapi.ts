/**
 * Generates files from the tables of endpoints and fields and from the catalogue of errors: openapi.json, as a service at
 * https://listings.example would serve it; the TypeScript client's types, fields and error codes; the tables in docs/api.md.
 *   node scripts/openapi.ts           write the files
 *   node scripts/openapi.ts --check   exit with 1 if a committed file differs
 *   node scripts/openapi.ts --lint    check the committed document with Redocly and Spectral; a warning is a failure
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../src/api/endpoints.ts'
import { exampleService, openApi } from '../src/http/openapi/document.ts'
import { apiTables } from './api-tables.ts'
import { clientFields } from './client-fields.ts'
import { clientTypes } from './client-types.ts'
import { clientErrorCodes } from './error-documents.ts'

const root = join(import.meta.dirname, '..')
const file = join(root, 'openapi.json')
const document = openApi(endpoints, exampleService)

/** The generated files, as [path, text]. */
async function generated(): Promise<[string, string][]> {
  return [
    ['openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['clients/typescript/src/openapi.ts', await clientTypes(document)],
    ['clients/typescript/src/error-codes.ts', clientErrorCodes()],
    ['clients/typescript/src/sync/listing-fields.ts', clientFields()],
    ['docs/api.md', apiTables(readFileSync(join(root, 'docs/api.md'), 'utf8'))],
  ]
}

async function check(): Promise<boolean> {
  const stale = (await generated()).filter(([path, text]) => committed(path) !== text)
  for (const [path] of stale) console.error(`${path} is out of date: run node scripts/openapi.ts`)
  return stale.length === 0
}

function committed(path: string): string | null {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return null
  }
}

function lint(): boolean {
  const linters = [
    ['redocly', 'lint', file],
    ['spectral', 'lint', '--fail-severity=hint', file],
  ]
  return linters.every(([command, ...parameters]) => {
    const { status } = spawnSync(join(root, 'node_modules', '.bin', command as string), parameters, {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    return status === 0
  })
}

switch (process.argv[2]) {
  case undefined:
    for (const [path, text] of await generated()) writeFileSync(join(root, path), text)
    break
  case '--check':
    process.exitCode = (await check()) ? 0 : 1
    break
  case '--lint':
    process.exitCode = lint() ? 0 : 1
    break
  default:
    console.error('usage: node scripts/openapi.ts [--check | --lint]')
    process.exitCode = 1
}
