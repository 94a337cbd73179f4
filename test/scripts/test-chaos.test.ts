/** `npm run test:chaos` ends with a table that leaves out no file, and fails unless every file ran to its end. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runTestFiles } from '../support/programs/run-test-files.ts'

const well = "import { after, test } from 'node:test'\ntest('well', () => {})\n"

/** @returns the exit code, and for each file its row of the table without the seconds */
async function runFiles(files: Record<string, string>) {
  const { code, out } = await runTestFiles('test-chaos.ts', files)
  const row = /^\S*\/(?<name>\w+\.test\.ts) +(?<counts>\d+ +\d+ +\d+) +[\d.]+(?: {2}(?<note>.+))?$/gm
  const table = Array.from(out.matchAll(row), ({ groups = {} }) => [
    groups['name'],
    [groups['counts']?.replace(/ +/g, ' '), groups['note']].join(' ').trim(),
  ])
  return { code, table: Object.fromEntries(table) as Record<string, string>, out }
}

describe('the table of chaos tests', { concurrency: true }, () => {
  test('has the reason of each skip, and a skip is no failure', async () => {
    const { code, table, out } = await runFiles({
      'a.test.ts': well,
      'b.test.ts': `${well}test('not here', { skip: 'there is no tape drive' }, () => {})`,
      'c.test.ts': "import { describe } from 'node:test'\ndescribe('all', { skip: 'no tape' }, () => {})",
    })
    assert.equal(code, 0, out)
    assert.deepEqual(table, {
      'a.test.ts': '1 0 0',
      'b.test.ts': '1 0 1 skipped: there is no tape drive',
      'c.test.ts': '0 0 1 skipped: no tape',
    })
  })

  for (const [what, content, row] of [
    ['a test fails', `${well}test('badly', () => { throw new Error('badly') })`, '1 1 0'],
    ['a hook fails', `${well}after(() => { throw new Error('badly') })`, '1 0 0 a hook failed'],
    ['a file cannot be loaded', "import './nowhere.ts'", '0 0 0 ended early, with code 1'],
    ['a file has no test', '', '0 0 0 ended early, with code 0'],
    ['a process ends early', `${well}test('gone', () => process.exit(0))`, '0 0 0 ended early, with code 0'],
    [
      'a process dies',
      `${well}test('gone', async () => { process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}) })`,
      '0 0 0 ended early, with SIGKILL',
    ],
  ] as const) {
    test(`has a row, and the run fails, when ${what}`, async () => {
      const { code, table, out } = await runFiles({ 'a.test.ts': well, 'b.test.ts': content })
      assert.equal(code, 1, out)
      assert.deepEqual(table, { 'a.test.ts': '1 0 0', 'b.test.ts': row }, out)
    })
  }
})
