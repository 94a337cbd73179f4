/**
 * `agency …`: the operator makes agencies and switches them.
 */
import {
  type AgencyView,
  createAgency,
  listAgencies,
  setAgencyActive,
  toAgency,
} from '../agencies/agencies.ts'
import { databaseClock } from '../clock.ts'
import { noteHere } from './command-line.ts'
import type { Command, Output } from './command.ts'
import { withDatabase } from './database.ts'
import { fields, table } from './layout.ts'

export const agencyCommands: readonly Command[] = [
  {
    name: 'agency create',
    summary: 'Makes an agency.',
    options: {
      name: { value: 'NAME', required: true, help: 'its name, as pages show it' },
      slug: {
        value: 'SLUG',
        required: true,
        help: 'its name in addresses: lower-case letters, digits, single hyphens',
      },
      email: { value: 'EMAIL', help: 'where it is told of changes of state, and whom visitors write to' },
    },
    run: (input, context) =>
      withDatabase(context, async ({ db, config }) => {
        const wanted = { name: input.text('name'), slug: input.text('slug'), email: input.optional('email') }
        const agency = await db.transaction().execute(async (tx) => {
          const made = await createAgency(tx, wanted, databaseClock)
          await noteHere(tx, 'agency_created', made.id, made.slug, { name: made.name })
          return made
        })
        return one('Agency created.', toAgency(agency, config.publicBaseUrl))
      }),
  },
  {
    name: 'agency list',
    summary: 'Lists the agencies.',
    run: (_input, context) =>
      withDatabase(context, async ({ db, config }) => {
        const agencies = (await listAgencies(db)).map((agency) => toAgency(agency, config.publicBaseUrl))
        const rows = agencies.map(({ slug, name, status, url, id }) => [slug, name, status, url, id])
        return {
          json: agencies,
          text: table(['SLUG', 'NAME', 'STATUS', 'ADDRESS', 'ID'], rows, 'There is no agency yet.'),
        }
      }),
  },
  switchCommand('deactivate', false, 'Stops all keys of an agency, at once.'),
  switchCommand('activate', true, 'Lets the keys of an agency work again.'),
]

function switchCommand(verb: string, active: boolean, summary: string): Command {
  return {
    name: `agency ${verb}`,
    summary,
    positionals: ['SLUG'],
    run: ({ positionals: [slug = ''] }, context) =>
      withDatabase(context, async ({ db, config }) => {
        const agency = await db.transaction().execute(async (tx) => {
          const switched = await setAgencyActive(tx, slug, active, databaseClock)
          await noteHere(tx, active ? 'agency_activated' : 'agency_deactivated', switched.id, slug)
          return switched
        })
        return one(`Agency ${verb}d.`, toAgency(agency, config.publicBaseUrl))
      }),
  }
}

function one(done: string, agency: AgencyView): Output {
  const shown = fields([
    ['slug', agency.slug],
    ['name', agency.name],
    ['status', agency.status],
    ['address', agency.url],
    ['id', agency.id],
  ])
  return { json: agency, text: `${done}\n\n${shown}` }
}
