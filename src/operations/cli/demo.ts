/**
 * `demo`: fills an empty database, embedded or external, with demonstration data, and completes an interrupted fill. The first start
 * outside production does the same for an embedded database.
 */
import { listAgencies } from '../../agencies/agencies.ts'
import { composeDeps } from '../../compose.ts'
import { seedDemo } from '../demo/seed.ts'
import { noteHere } from './command-line.ts'
import { CommandError, type Run } from './command.ts'
import { withDatabase } from './database.ts'
import { fields } from './layout.ts'

export const demo: Run = (_input, context) =>
  withDatabase(context, async ({ db, config, log }) => {
    const deps = await composeDeps(config, db, log)
    const isNew = (await listAgencies(db)).length === 0
    const keys = await seedDemo(deps, context.note).finally(() => deps.photos.storage.close())
    if (keys === null)
      throw new CommandError(
        'The database is not empty. Demonstration data can only be added to an empty one.',
      )
    if (isNew) await noteHere(db, 'demonstration_filled', null, keys.agency)
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
