/** `notification …`: shows deliveries and retries them. */
import { getAgency } from '../../agencies/agencies.ts'
import { databaseClock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/errors.ts'
import {
  type ChannelName,
  channels,
  type DeliveryState,
  deliveryStates,
} from '../../delivery/notifications/outbox.ts'
import { getPreferences, type Preferences, setPreferences } from '../../delivery/notifications/preferences.ts'
import {
  type Delivery,
  type DeliveryFilters,
  getDelivery,
  listDeliveries,
  readGauges,
} from '../../delivery/notifications/deliveries.ts'
import { retryAll, retryEvent } from '../../delivery/notifications/retry.ts'
import { noteHere } from './command-line.ts'
import { CommandError, type Input, type Run } from './command.ts'
import { withDatabase } from './database.ts'
import { getNamedAgency } from './named-agency.ts'
import { fields, table } from './layout.ts'

export const list: Run = (input, context) =>
  withDatabase(context, async ({ db }) => {
    const isFailing = input.isSet('failing')
    const filters = { ...(await readFilters(db, input, ['pending', 'set_aside'])), isFailing }
    const found = await listDeliveries(db, filters, { limit: readLimit(input), offset: 0 })
    return { json: found, text: describe(found) }
  })

/** Its delivery by each channel. @throws CommandError if it has none */
async function findEvent(db: Db, id: string) {
  const found = await Promise.allSettled(channels.map((name) => getDelivery(db, id, name)))
  const deliveries = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failure = found.find((one) => one.status === 'rejected')?.reason as unknown
  if (failure !== undefined && !(failure instanceof ApiError)) throw failure
  if (deliveries.length === 0) throw new CommandError(`Event "${id}" has no delivery.`)
  return deliveries
}

export const show: Run = ({ positionals: [id = ''] }, context) =>
  withDatabase(context, async ({ db }) => {
    const found = await findEvent(db, id)
    const attempts = found.flatMap(({ channel: name, attempt_log }) =>
      attempt_log.map(({ at, duration_ms, succeeded, status, detail }) => [
        name,
        at,
        `${duration_ms} ms`,
        succeeded ? 'delivered' : 'failed',
        String(status ?? ''),
        detail ?? '',
      ]),
    )
    const headings = ['CHANNEL', 'AT', 'TOOK', 'OUTCOME', 'STATUS', 'DETAIL']
    return {
      json: found,
      text: `${describe(found)}\n\n${table(headings, attempts, 'No attempts yet.')}`,
    }
  })

export const retry: Run = (input, context) =>
  withDatabase(context, async ({ db }) => {
    const deps = { db, clock: databaseClock }
    const event = input.optional('event')
    if ((event === null) !== input.isSet('all'))
      throw new CommandError('Give either --event EVENT-ID or --all.')
    const filters = await readFilters(db, input, ['set_aside'])
    const retried =
      event === null ? await retryAll(deps, filters) : await retryEvent(deps, event, filters.channel)
    const subject = event ?? String(retried)
    await noteHere(db, 'notification_retried', filters.agencyId ?? null, subject)
    return {
      json: { retried },
      text: `${retried} ${retried === 1 ? 'delivery is' : 'deliveries are'} due now.`,
    }
  })

export const status: Run = (_input, context) =>
  withDatabase(context, async ({ db }) => {
    const gauges = await readGauges(db, databaseClock)
    const rows = gauges.map((one) => [
      one.channel,
      String(one.pending),
      String(one.failing),
      String(one.set_aside),
      `${Math.round(one.oldest_pending_seconds)} s`,
    ])
    return {
      json: gauges,
      text: table(['CHANNEL', 'PENDING', 'FAILING', 'SET ASIDE', 'OLDEST PENDING'], rows, ''),
    }
  })

export const preference: Run = (input, context) =>
  withDatabase(context, async ({ db }) => {
    const { id } = await getNamedAgency(db, input.text('agency'))
    const mail = input.optional('mail')
    if (mail !== null && mail !== 'on' && mail !== 'off') throw new CommandError('--mail must be on or off.')
    const language = input.optional('language') ?? undefined
    const isChange = mail !== null || language !== undefined
    const changes = { ...(mail === null ? {} : { mail: mail === 'on' }), language }
    const preferences = isChange ? await setPreferences(db, id, changes) : await getPreferences(db, id)
    if (isChange) {
      const { mail, language } = preferences
      await noteHere(db, 'agency_changed', id, input.text('agency'), { mail, language })
    }
    return { json: preferences, text: describePreferences(preferences) }
  })

/** @throws CommandError; ApiError 404 for an unknown agency */
async function readFilters(
  db: Db,
  input: Input,
  byDefault: readonly DeliveryState[],
): Promise<Pick<DeliveryFilters, 'states' | 'channel' | 'agencyId'>> {
  const slug = input.optional('agency')
  const wanted = input.optional('channel')
  const states = input.list('state')
  const unknown = states.find((one) => !(deliveryStates as readonly string[]).includes(one))
  if (unknown !== undefined)
    throw new CommandError(`--state must be one of ${deliveryStates.join(', ')}, not "${unknown}".`)
  if (wanted !== null && !(channels as readonly string[]).includes(wanted))
    throw new CommandError(`--channel must be ${channels.join(' or ')}, not "${wanted}".`)
  return {
    states: states.length === 0 ? byDefault : (states as DeliveryState[]),
    ...(wanted === null ? {} : { channel: wanted as ChannelName }),
    ...(slug === null ? {} : { agencyId: (await getAgency(db, slug)).id }),
  }
}

function readLimit(input: Input): number {
  const text = input.optional('limit') ?? '50'
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CommandError('--limit must be a whole number from 1 to 999999.')
  return Number(text)
}

function describe(deliveries: readonly Delivery[]): string {
  const rows = deliveries.map((one) => [
    one.at,
    one.agency,
    one.listing,
    `${one.type} ${one.sequence}`,
    one.channel,
    one.state,
    String(one.attempts),
    one.next_attempt_at ?? '',
    one.event_id,
    one.detail ?? '',
  ])
  const headings = [
    'AT',
    'AGENCY',
    'LISTING',
    'EVENT',
    'CHANNEL',
    'STATE',
    'TRIED',
    'NEXT',
    'EVENT-ID',
    'DETAIL',
  ]
  return table(headings, rows, 'No notifications.')
}

function describePreferences({ mail, language, unwanted }: Preferences): string {
  return fields([
    ['mail', mail ? 'on' : 'off'],
    ['language', language],
    ['unwanted', unwanted.join(', ') || 'none'],
  ])
}
