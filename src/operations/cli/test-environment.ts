/**
 * Commands for an agency's test environment: `agency reset-test`, and the part of `key create --test` that needs it. Separate from the
 * other commands, which would load the service's dependencies for nothing.
 */
import type { Agency } from '../../agencies/agencies.ts'
import { findTwin, getRealAgency } from '../../agencies/twins.ts'
import { closeDeps, composeDeps } from '../../compose.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { resetTwin, withTwin } from '../demo/test-environment.ts'
import type { Deps, Log } from '../../deps.ts'
import { ApiError } from '../../platform/errors.ts'
import { noteHere } from './command-line.ts'
import type { Run } from './command.ts'
import { withDatabase } from './database.ts'

type Open = { db: Db; config: Config; log: Log }

export const resetTest: Run = ({ positionals: [slug = ''] }, context) =>
  withDatabase(context, async (open) => {
    const agency = await getRealAgency(open.db, slug)
    const twin = await findTwin(open.db, agency.id)
    if (twin === null) {
      throw new ApiError('not_found', {
        message: `"${slug}" has no test environment yet. Its first test key makes it: npm run -s svc -- key create --agency ${slug} --test …`,
      })
    }
    const note = (tx: Tx): Promise<void> => noteHere(tx, 'test_reset', agency.id, twin.slug)
    const done = await withDeps(open, (deps) => resetTwin(deps, twin, note))
    return {
      json: done,
      text: `Test environment emptied and filled with ${done.listings} sample listings.`,
    }
  })

/** Like `withTwin`. */
export function withTwinHere<T>(
  open: Open,
  agency: Agency,
  work: (tx: Tx, twin: Agency) => Promise<T>,
): Promise<T> {
  return withDeps(open, (deps) => withTwin(deps, agency, work))
}

async function withDeps<T>({ config, db, log }: Open, work: (deps: Deps) => Promise<T>): Promise<T> {
  const deps = await composeDeps(config, db, log)
  try {
    return await work(deps)
  } finally {
    await closeDeps(deps)
  }
}
