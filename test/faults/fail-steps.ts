/** Fails each step of a request, or a sample of them, and prints a line of the table. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { casesOf, chosen } from './sample.ts'
import { type Way, ways } from './steps/steps.ts'

/** A faultless run, to be repeated with faults. */
type Run = {
  name: string
  steps: readonly string[]
  /** @returns the outcome; null if the run had fewer steps this time. @throws AssertionError that names the broken promise */
  fail(number: number, way: Way): Promise<string | null>
}

const table: string[] = []
let total = 0

/** @param caseCount a sample has one case in this number */
export async function failSteps(
  { name, steps, fail }: Run,
  context: TestContext,
  caseCount: number,
): Promise<void> {
  const cases = casesOf(steps, caseCount)
  const outcomes = new Map<string, number>()
  const failures: string[] = []
  let unreached = 0
  for (const { step, number, way } of cases) {
    const outcome = await fail(number, way).catch((error: Error) => {
      failures.push(`${name}, step ${number} of ${steps.length} (${step}), ${way}: ${error.message}`)
      return 'failed'
    })
    if (outcome === null) {
      unreached += 1
      continue
    }
    const what = `${way}: ${outcome}`
    outcomes.set(what, (outcomes.get(what) ?? 0) + 1)
  }
  const faults = cases.length - unreached
  total += faults
  table.push(
    `| ${name} | ${steps.length} | ${ways.length} | ${faults} | ${faults - failures.length} | ${unreached} |`,
  )
  const summary = ways.map((way) => `${way}: ${byWay(outcomes, way)}`).join('; ')
  context.diagnostic(`${name}: ${steps.length} steps, ${faults} faults. ${summary}`)
  assert.equal(failures.length, 0, failures.join('\n\n'))
}

const byWay = (outcomes: ReadonlyMap<string, number>, way: Way): string =>
  [...outcomes]
    .filter(([what]) => what.startsWith(`${way}: `))
    .map(([what, count]) => `${count} ${what.slice(way.length + 2)}`)
    .join(', ') || 'none'

/** Prints the table. Call it after all runs. */
export function printTable(): void {
  const head = [
    '',
    '| Request | Steps | Ways | Faults | Passed | Not reached |',
    '| --- | --- | --- | --- | --- | --- |',
  ]
  const lines = chosen === 'every' ? [...head, ...table, ''] : []
  process.stdout.write([...lines, `FAULTS=${chosen}: ${total} faults`, ''].join('\n'))
}
