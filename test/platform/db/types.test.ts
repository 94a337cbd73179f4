/** Fails when a migration changed a table and the generated row types were not regenerated. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('src/platform/db/types.ts matches the migrations', () => {
  const script = join(import.meta.dirname, '../../../scripts/db-types.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  assert.equal(stderr, '')
  assert.equal(status, 0)
})
