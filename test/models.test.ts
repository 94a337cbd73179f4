/** The models of chaos/models/ and the code name the same steps, so that a reader of one finds the other. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const text = (path: string) => readFileSync(join(root, path), 'utf8')

test('every step of a model is named in the code, and every step named in the code is in its model', () => {
  const models = globSync('chaos/models/*.pml', { cwd: root })
  const inModels = models.flatMap((model) =>
    [...text(model).matchAll(/\/\* Step ([a-z ]+)[.:]/g)].map(
      ([, step]) => `${basename(model, '.pml')}: ${step}`,
    ),
  )
  const inCode = globSync(['src/**/*.ts', 'migrations/functions/*.sql'], { cwd: root }).flatMap((file) =>
    [...text(file).matchAll(/(?:\/\/|--) Model (.+: .+)/g)].map(([, step]) => step),
  )
  assert.ok(models.length > 0 && inModels.length > 3 * models.length)
  assert.deepEqual(inCode.sort(), inModels.sort())
})
