/** `agency …`: creates, lists and switches agencies, and changes their contact details and limits. */
import {
  createAgency,
  getAgency,
  listAgencies,
  setAgencyActive,
  toAgency,
} from '../../../agencies/agencies.ts'
import { type AgencyDetails, getAgencyDetails } from '../../../agencies/details.ts'
import { changeAgencyProfile } from '../../../agencies/profile.ts'
import { getRealAgency } from '../../../agencies/twins.ts'
import {
  changeLimits,
  describeChange,
  getLimits,
  type LimitChange,
  shownLimits,
} from '../../../limits/of-agency.ts'
import type { Limits } from '../../../limits/table.ts'
import { databaseClock } from '../../../platform/time/clock.ts'
import { parseDateTime } from '../../../platform/time/date-time.ts'
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import { CommandError, type Input, leftOut, type Output } from '../command.ts'
import { getTwin, auditCommand, onDatabase, readingDatabase, readingUnless } from '../open.ts'
import { fields, listed } from '../output.ts'

export const create = onDatabase(async (input, { db, config }) => {
  const wanted = { name: input.text('name'), slug: input.text('slug'), email: input.optional('email') }
  const agency = await inTransaction(db, async (tx) => {
    const made = await createAgency(tx, wanted, databaseClock)
    await auditCommand(tx, 'agency_created', made.id, made.slug, { name: made.name })
    return made
  })
  return one('Agency created.', toAgency(agency, config.publicBaseUrl))
})

export const list = readingDatabase(async (_input, { db, config }) => {
  const agencies = (await listAgencies(db)).map((agency) => toAgency(agency, config.publicBaseUrl))
  const columns = { SLUG: 'slug', NAME: 'name', STATUS: 'status', URL: 'url', ID: 'id' } as const
  return listed(agencies, columns, 'No agencies yet.')
})

const switchTo = (active: boolean) =>
  onDatabase(async ({ positionals: [slug = ''] }, { db, config }) => {
    const agency = await inTransaction(db, async (tx) => {
      await getRealAgency(tx, slug)
      const switched = await setAgencyActive(tx, slug, active, databaseClock)
      await auditCommand(tx, active ? 'agency_activated' : 'agency_deactivated', switched.id, slug)
      return switched
    })
    const done = active ? 'Agency activated.' : 'Agency deactivated.'
    return one(done, toAgency(agency, config.publicBaseUrl))
  })
export const activate = switchTo(true)
export const deactivate = switchTo(false)

const contactNames = ['phone', 'whatsapp', 'website'] as const

export const contact = readingUnless(contactNames, async ({ positionals: [slug = ''], optional }, { db }) => {
  const given = contactNames.map((name) => [name, optional(name)] as const)
  const changes: Partial<AgencyDetails> = Object.fromEntries(
    given
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, value === 'none' ? null : value]),
  )
  const isChange = Object.keys(changes).length > 0
  if (isChange) await getRealAgency(db, slug)
  const now = await inTransaction(db, async (tx) => {
    const { id } = await getAgency(tx, slug)
    if (isChange) {
      await changeAgencyProfile(tx, id, changes, databaseClock)
      await auditCommand(tx, 'agency_changed', id, slug, changes)
    }
    const { phone, whatsapp, website } = await getAgencyDetails(tx, id)
    return { phone, whatsapp, website }
  })
  return { json: now, text: fields(contactNames.map((name) => [name, now[name] ?? 'none'])) }
})

type Shown = ReturnType<typeof toAgency>

function one(done: string, agency: Shown): Output {
  const { slug, name, status, url, id } = agency
  return { json: agency, text: `${done}\n\n${fields(Object.entries({ slug, name, status, url, id }))}` }
}

export const limits = readingUnless(['set', 'until', 'clear'], async (input, { db, config }) => {
  const change = changeOf(input)
  const deps = { db, clock: databaseClock, limits: config.limits }
  const { positionals, isSet } = input
  const agency = await getRealAgency(db, positionals[0] ?? '')
  const { id, slug } = isSet('test') ? await getTwin(db, agency) : agency
  if (change === null) return limitsOutput(await getLimits(deps, id), deps.limits)
  const changed = await inTransaction(db, async (tx) => {
    const now = await changeLimits(tx, id, change, deps)
    await auditCommand(tx, 'agency_limits_changed', agency.id, slug, describeChange(change))
    return now
  })
  return limitsOutput(changed, deps.limits)
})

/** The requested changes; null: only show the limits. @throws CommandError */
function changeOf({ list, optional }: Input): LimitChange | null {
  const [set, until, clear] = [list('set'), optional('until'), optional('clear')]
  if (set.length > 0 && clear !== null)
    throw new CommandError('--set and --clear cannot be given together. Run the command twice.')
  if (until !== null && set.length === 0)
    throw new CommandError('--until needs --set: it says when the new maximum ends.')
  if (clear !== null) return { clear: clear === leftOut ? null : clear }
  if (set.length === 0) return null
  const maxima = new Map<string, number>()
  for (const one of set) {
    const [, name = '', max = ''] = /^(\w+)=(.*)$/.exec(one) ?? []
    if (max === '') throw new CommandError(`--set ${one} is not NAME=N, such as new_listings_per_day=5000.`)
    if (maxima.has(name)) throw new CommandError(`--set names ${name} twice.`)
    maxima.set(name, /^\d+$/.test(max) ? Number(max) : Number.NaN)
  }
  const end = until === null ? null : parseDateTime(until)
  if (until !== null && end === null)
    throw new CommandError(`--until ${until} is not a date such as 2027-03-31 or 2027-03-31T12:00:00Z.`)
  // Entries, because assigning to the name `__proto__` would do nothing.
  return { set: Object.fromEntries(maxima), until: end }
}

function limitsOutput(inForce: Limits, defaults: Limits): Output {
  const shown = shownLimits(inForce, defaults)
  const lines = Object.entries(shown).map(([name, line]) => ({ name, ...line }))
  const { text } = listed(lines, { LIMIT: 'name', MAX: 'max', DEFAULT: 'default', UNTIL: 'until' })
  return { json: shown, text }
}
