/** `agency limits`: shows and changes the limits of one agency. */
import { getRealAgency, findTwin } from '../../agencies/twins.ts'
import { databaseClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { parseDateTime } from '../../platform/date-time.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { ApiError } from '../../platform/errors.ts'
import {
  changeLimits,
  describeChange,
  findLimits,
  type LimitChange,
  type ShownLimits,
  shownLimits,
} from '../../limits/of-agency.ts'
import type { Limits } from '../../limits/table.ts'
import { CommandError, type Input, leftOut, type Output, type Run } from './command.ts'
import { noteHere } from './command-line.ts'
import { withDatabase } from './database.ts'
import { table } from './layout.ts'

export const limits: Run = (input, context) => {
  const change = changeOf(input)
  const { positionals, isSet } = input
  const [slug = ''] = positionals
  return withDatabase(context, async ({ db, config }) => {
    const agency = await getRealAgency(db, slug)
    const of = isSet('test') ? await findTwin(db, agency.id) : agency
    if (of === null) {
      throw new ApiError('not_found', {
        message: `"${slug}" has no test environment yet. Its first test key makes it: npm run -s svc -- key create --agency ${slug} --test …`,
      })
    }
    if (change === null) return outputOf(await findLimits(db, of.id, config.limits, databaseClock), config)
    const changed = await inTransaction(db, async (tx) => {
      const now = await changeLimits(tx, of.id, change, config.limits, databaseClock)
      await noteHere(tx, 'agency_limits_changed', agency.id, of.slug, describeChange(change))
      return now
    })
    return outputOf(changed, config)
  })
}

/** The requested changes; null: only show the limits. @throws CommandError */
function changeOf({ list, optional }: Input): LimitChange | null {
  const [set, until, clear] = [list('set'), optional('until'), optional('clear')]
  if (set.length > 0 && clear !== null)
    throw new CommandError('--set and --clear cannot be given together. Run the command twice.')
  if (until !== null && set.length === 0)
    throw new CommandError('--until is the end of what --set sets: give --set too.')
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
    throw new CommandError(`--until ${until} is no date such as 2027-03-31 or 2027-03-31T12:00:00Z.`)
  // Entries, because assigning to the name `__proto__` would do nothing.
  return { set: Object.fromEntries(maxima), until: end }
}

function outputOf(inForce: Limits, config: Config): Output {
  const shown: ShownLimits = shownLimits(inForce, config.limits)
  const rows = Object.entries(shown).map(([name, { max, default: usual, until }]) => [
    name,
    String(max),
    String(usual),
    until ?? '',
  ])
  return { json: shown, text: table(['LIMIT', 'MAX', 'DEFAULT', 'UNTIL'], rows, '') }
}
