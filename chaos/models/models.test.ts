/**
 * Explores the models of chaos/models/ with SPIN: every order of events keeps the promises, and each broken variant breaks one. Needs
 * `spin` and a C compiler.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Each model, with the flags of further variants. */
const models: Readonly<Record<string, readonly string[]>> = {
  'idempotency-key': [],
  'cached-responses': [],
  'notification-lanes': ['-DFREEZES'],
}

const needed = { spin: '-V', cc: '--version' }
const missing: string[] = []
for (const [program, flag] of Object.entries(needed))
  await run(program, [flag]).catch(() => missing.push(program))
const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`

let directory: string
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'models-'))
})
after(() => rmSync(directory, { recursive: true }))

const pathOf = (model: string) => join(import.meta.dirname, `${model}.pml`)

/** The broken variants that the model's header lists, by number. */
function variantsOf(model: string): [number: string, name: string][] {
  const lines = readFileSync(pathOf(model), 'utf8').matchAll(/^ \* (\d+)\. (.+)$/gm)
  return [...lines].map(([, number = '', name = '']) => [number, name])
}

/** Explores all states of the model, or all until the first error. @returns the report of SPIN's verifier */
async function explore(context: TestContext, model: string, flags: readonly string[]): Promise<string> {
  const cwd = mkdtempSync(join(directory, `${model}-`))
  const started = performance.now()
  await run('spin', [...flags, '-a', pathOf(model)], { cwd })
  // COLLAPSE compresses states and loses none.
  await run('cc', ['-O2', '-w', '-DCOLLAPSE', '-o', 'pan', 'pan.c'], { cwd })
  const isLiveness = /^ltl /m.test(readFileSync(pathOf(model), 'utf8'))
  const search = isLiveness ? ['-a', '-f'] : []
  const { stdout } = await run('./pan', [...search, '-m1000000'], { cwd, maxBuffer: 100_000_000 })
  const [, states] = /(\S+) states, stored/.exec(stdout) ?? []
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  context.diagnostic(`${Number(states)} states in ${seconds} s`)
  return stdout
}

for (const [model, variants] of Object.entries(models)) {
  describe(model, { skip }, () => {
    for (const flags of [[], ...variants.map((variant) => [variant])]) {
      test(['keeps its promises', ...flags].join(' '), async (context) => {
        const report = await explore(context, model, flags)
        assert.match(report, /errors: 0$/m, report)
        assert.doesNotMatch(report, /too small|not completed|out of memory/i)
        // A statement that is never reached would prove nothing. Processes that serve forever have no end.
        const unreached = [...report.matchAll(/^\t\S+, state \d+, "(.*)"$/gm)].map(
          ([, statement]) => statement,
        )
        assert.deepEqual(
          unreached.filter((statement) => statement !== '-end-'),
          [],
        )
      })
    }

    for (const [number, name] of variantsOf(model)) {
      test(`breaks a promise if it ${name}`, async (context) => {
        const report = await explore(context, model, [`-DBROKEN=${number}`])
        assert.match(report, /errors: 1$/m, report)
        assert.match(report, /assertion violated|acceptance cycle/)
      })
    }
  })
}
