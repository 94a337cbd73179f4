/**
 * Writes the OpenAPI document to openapi.json, as a service at https://listings.example would serve it.
 *   node scripts/openapi.ts           write it
 *   node scripts/openapi.ts --check   exit with 1 when the committed one differs
 *   node scripts/openapi.ts --lint    hold the committed one to the rules of Redocly and Spectral, warnings included
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../src/api/endpoints.ts'
import { exampleService, openApi } from '../src/http/openapi.ts'

const root = join(import.meta.dirname, '..')
const file = join(root, 'openapi.json')
const text = `${JSON.stringify(openApi(endpoints, exampleService), null, 2)}\n`

function check(): boolean {
  let committed = ''
  try {
    committed = readFileSync(file, 'utf8')
  } catch {
    // Told below.
  }
  if (committed === text) return true
  console.error(
    'openapi.json is not what the table of endpoints gives: write it anew with node scripts/openapi.ts',
  )
  return false
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
    writeFileSync(file, text)
    break
  case '--check':
    process.exitCode = check() ? 0 : 1
    break
  case '--lint':
    process.exitCode = lint() ? 0 : 1
    break
  default:
    console.error('usage: node scripts/openapi.ts [--check | --lint]')
    process.exitCode = 1
}
