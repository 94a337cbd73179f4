/** Files that pages load: their names change with their content, and with that of the scripts that they import. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { openAssets } from '../../../src/platform/web/assets.ts'

const importing = Buffer.from("import { one } from './one.js'\none()\n")
const assetsWith = (one: string) =>
  openAssets('/files', { 'all.js': importing, 'one.js': Buffer.from(`export const one = () => ${one}\n`) })

test('a script imports another by the name that it is served under', async () => {
  const assets = assetsWith('1')
  const app = fastify()
  assets.register(app)
  const { body } = await app.inject(assets.path('all.js'))
  const [, name = ''] = /^import \{ one \} from '\.\/(one\.[0-9a-f]{12}\.js)'\none\(\)\n$/.exec(body) ?? []
  assert.equal(assets.path('one.js'), `/files/${name}`)
  await app.close()
})

test('a script has another name once what it imports has changed', () => {
  const [before, after] = [assetsWith('1'), assetsWith('2')]
  for (const name of ['all.js', 'one.js']) assert.notEqual(before.path(name), after.path(name))
})

test('a script that imports what is not there stops the start', () => {
  assert.throws(() => openAssets('/files', { 'all.js': importing }), /no asset one\.js/)
})
