/** Static files: their names depend on their content and on that of the scripts they import. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { openAssets } from '../../../src/platform/web/assets.ts'

const importing = Buffer.from("import { one } from './one.js'\none()\n")
const assetsWith = (one: string) =>
  openAssets('/files', { 'all.js': importing, 'one.js': Buffer.from(`export const one = () => ${one}\n`) })

test('a script imports another under the name it is served by', async () => {
  const assets = assetsWith('1')
  const app = fastify()
  assets.register(app)
  const { body } = await app.inject(assets.path('all.js'))
  const [, name = ''] = /^import \{ one \} from '\.\/(one\.[0-9a-f]{12}\.js)'\none\(\)\n$/.exec(body) ?? []
  assert.equal(assets.path('one.js'), `/files/${name}`)
  await app.close()
})

test('the name of a script changes when an import changes', () => {
  const [before, after] = [assetsWith('1'), assetsWith('2')]
  for (const name of ['all.js', 'one.js']) assert.notEqual(before.path(name), after.path(name))
})

test('a script with a missing import stops the start', () => {
  assert.throws(() => openAssets('/files', { 'all.js': importing }), /no asset one\.js/)
})
