/**
 * `address …`: keeps the comparison of addresses up to its rules (spec 'Address handling').
 */
import { recomputeAddressKeys } from '../properties/readdress.ts'
import type { Command } from './command.ts'
import { withDatabase } from './database.ts'

export const addressCommands: readonly Command[] = [
  {
    name: 'address recompute',
    summary: 'Recomputes the keys by which addresses are compared, where older rules made them.',
    run: (_input, context) =>
      withDatabase(context, async ({ db }) => {
        const listings = await recomputeAddressKeys(db)
        return { json: { listings }, text: `${listings} listings brought up to date.` }
      }),
  },
]
