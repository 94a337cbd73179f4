/** `address …`: recomputes the keys that addresses are compared by (api.md 12.4). */
import { databaseClock } from '../../platform/clock.ts'
import { recomputeAddressKeys } from '../../listings/readdress.ts'
import { noteHere } from './command-line.ts'
import type { Run } from './command.ts'
import { withDatabase } from './database.ts'

export const recompute: Run = (_input, context) =>
  withDatabase(context, async ({ db }) => {
    const listings = await recomputeAddressKeys({ db, clock: databaseClock })
    await noteHere(db, 'addresses_recomputed', null, String(listings))
    return {
      json: { listings },
      text: `${listings} ${listings === 1 ? 'listing' : 'listings'} updated.`,
    }
  })
