/**
 * `demo` fills an empty database, embedded or external, with demonstration data, and completes an interrupted fill; the first start
 * outside production does the same for an embedded database. `agency reset-test` refills a test environment.
 */
import { listAgencies } from '../../../agencies/agencies.ts'
import { getRealAgency } from '../../../agencies/twins.ts'
import { closeDeps, composeDeps } from '../../../compose.ts'
import type { Deps } from '../../../deps.ts'
import { seedDemo } from '../../../samples/seed.ts'
import { resetTwin } from '../../../samples/test-environment.ts'
import { CommandError } from '../command.ts'
import { getTwin, auditCommand, onDatabase, type Open } from '../open.ts'
import { fields } from '../output.ts'

export const demo = onDatabase(async (_input, open) => {
  const { db, note } = open
  const isNew = (await listAgencies(db)).length === 0
  const keys = await withDeps(open, (deps) => seedDemo(deps, note))
  if (keys === null)
    throw new CommandError('The database is not empty. Demonstration data can only be added to an empty one.')
  if (isNew) await auditCommand(db, 'demonstration_filled', null, keys.agency)
  const shown = fields([
    ['agency', keys.agency],
    ['key to read', keys.read],
    ['key to write', keys.write],
    ...(keys.test === undefined ? [] : [['key to try', keys.test] as const]),
    ['sign in', `${keys.owner.email}  ${keys.owner.password}`],
    ['operator', `${keys.operator.email}  ${keys.operator.password}`],
  ])
  return { json: keys, text: shown }
})

export const resetTest = onDatabase(async ({ positionals: [slug = ''] }, open) => {
  const agency = await getRealAgency(open.db, slug)
  const twin = await getTwin(open.db, agency)
  const done = await withDeps(open, (deps) =>
    resetTwin(deps, twin, (tx) => auditCommand(tx, 'test_reset', agency.id, twin.slug)),
  )
  return { json: done, text: `Test environment emptied and filled with ${done.listings} sample listings.` }
})

/** Runs `work` with the service's dependencies, which most commands need not load. */
export async function withDeps<T>({ config, db, log }: Open, work: (deps: Deps) => Promise<T>): Promise<T> {
  const deps = await composeDeps(config, db, log)
  try {
    return await work(deps)
  } finally {
    await closeDeps(deps)
  }
}
