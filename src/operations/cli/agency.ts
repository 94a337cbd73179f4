/** `agency …`: creates, lists and switches agencies. */
import { inTransaction } from '../../platform/db/transaction.ts'
import {
  type AgencyView,
  createAgency,
  getAgency,
  listAgencies,
  setAgencyActive,
  toAgency,
} from '../../agencies/agencies.ts'
import { type AgencyDetails, getAgencyDetails } from '../../agencies/details.ts'
import { changeAgencyProfile } from '../../agencies/profile.ts'
import { getRealAgency } from '../../agencies/twins.ts'
import { databaseClock } from '../../platform/clock.ts'
import { noteHere } from './command-line.ts'
import type { Context, Input, Output, Run } from './command.ts'
import { withDatabase } from './database.ts'
import { fields, table } from './layout.ts'

export const create: Run = (input, context) =>
  withDatabase(context, async ({ db, config }) => {
    const wanted = { name: input.text('name'), slug: input.text('slug'), email: input.optional('email') }
    const agency = await inTransaction(db, async (tx) => {
      const made = await createAgency(tx, wanted, databaseClock)
      await noteHere(tx, 'agency_created', made.id, made.slug, { name: made.name })
      return made
    })
    return one('Agency created.', toAgency(agency, config.publicBaseUrl))
  })

export const list: Run = (_input, context) =>
  withDatabase(context, async ({ db, config }) => {
    const agencies = (await listAgencies(db)).map((agency) => toAgency(agency, config.publicBaseUrl))
    const rows = agencies.map(({ slug, name, status, url, id }) => [slug, name, status, url, id])
    return {
      json: agencies,
      text: table(['SLUG', 'NAME', 'STATUS', 'URL', 'ID'], rows, 'No agencies yet.'),
    }
  })

export const deactivate: Run = (input, context) => switchTo(false, input, context)

export const activate: Run = (input, context) => switchTo(true, input, context)

const contactNames = ['phone', 'whatsapp', 'website'] as const

export const contact: Run = ({ positionals: [slug = ''], optional }, context) =>
  withDatabase(context, async ({ db }) => {
    const changes: Partial<Pick<AgencyDetails, (typeof contactNames)[number]>> = {}
    for (const name of contactNames) {
      const value = optional(name)
      if (value !== null) changes[name] = value === 'none' ? null : value
    }
    if (Object.keys(changes).length > 0) await getRealAgency(db, slug)
    const now = await inTransaction(db, async (tx) => {
      const { id } = await getAgency(tx, slug)
      if (Object.keys(changes).length > 0) {
        await changeAgencyProfile({ db: tx, clock: databaseClock }, id, changes)
        await noteHere(tx, 'agency_changed', id, slug, changes)
      }
      const { phone, whatsapp, website } = await getAgencyDetails(tx, slug)
      return { phone, whatsapp, website }
    })
    return { json: now, text: fields(contactNames.map((name) => [name, now[name] ?? 'none'])) }
  })

function switchTo(active: boolean, { positionals: [slug = ''] }: Input, context: Context): Promise<Output> {
  return withDatabase(context, async ({ db, config }) => {
    const agency = await inTransaction(db, async (tx) => {
      await getRealAgency(tx, slug)
      const switched = await setAgencyActive(tx, slug, active, databaseClock)
      await noteHere(tx, active ? 'agency_activated' : 'agency_deactivated', switched.id, slug)
      return switched
    })
    const done = active ? 'Agency activated.' : 'Agency deactivated.'
    return one(done, toAgency(agency, config.publicBaseUrl))
  })
}

function one(done: string, agency: AgencyView): Output {
  const shown = fields([
    ['slug', agency.slug],
    ['name', agency.name],
    ['status', agency.status],
    ['url', agency.url],
    ['id', agency.id],
  ])
  return { json: agency, text: `${done}\n\n${shown}` }
}
