/** `npm test` is reliable: every file of a folder runs, alone or alongside others, and a failure anywhere fails the whole run. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runTestFiles } from '../support/programs/run-test-files.ts'

const passes = "import { after, test } from 'node:test'\nafter(() => {})\ntest('well', () => {})\n"

const runFiles = (files: Record<string, string>) => runTestFiles('test.ts', files)

describe('the tests of a folder', { concurrency: true }, () => {
  test('all run, whatever their order and process', async () => {
    const names = Array.from({ length: 14 }, (_, index) => `${'deep/'.repeat(index % 3)}${index}.test.ts`)
    const files = Object.fromEntries(names.map((name) => [name, passes]))
    const { code, out } = await runFiles({ ...files, 'slow.test.ts': `// alone: it takes long\n${passes}` })
    assert.equal(code, 0, out)
    // The summary also counts a process that found no file left to claim.
    assert.equal(out.match(/✔ well/g)?.length, 15, out)
    assert.match(out, /^ℹ fail 0$/m)
  })

  test('fail when there are none, naming the path', async () => {
    const { code, err } = await runFiles({ 'none.ts': passes })
    assert.equal(code, 1)
    assert.match(err, /No test file matches \S*listings-runner-/)
  })

  for (const [what, content, told] of [
    [
      'a test fails',
      "import { test } from 'node:test'\ntest('badly', () => { throw new Error('told') })",
      /told/,
    ],
    [
      'a hook at the end of a file fails',
      "import { after, test } from 'node:test'\nafter(() => { throw new Error('told') })\ntest('well', () => {})",
      /told/,
    ],
    ['a file cannot be loaded', "import './nowhere.ts'", /nowhere\.ts/],
    [
      'a process ends early',
      "import { test } from 'node:test'\ntest('gone', () => process.exit(0))",
      /ended before \S*b\.test\.ts had/,
    ],
    [
      'a process dies',
      "import { test } from 'node:test'\ntest('gone', async () => { process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}) })",
      /✖/,
    ],
    [
      'a file leaves its process changed',
      "import { test } from 'node:test'\ntest('well', () => { process.env['LEFT'] = 'behind' })",
      /it left the process changed/,
    ],
  ] as const) {
    test(`fail when ${what}`, async () => {
      const { code, out } = await runFiles({ 'a.test.ts': passes, 'b.test.ts': content, 'c.test.ts': passes })
      assert.equal(code, 1, out)
      assert.match(out, told)
    })
  }
})
