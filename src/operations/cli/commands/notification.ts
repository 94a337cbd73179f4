/** `notification …`: shows deliveries and retries them. */
import { getAgency } from '../../../agencies/agencies.ts'
import { databaseClock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import { type ChannelName, channels, type DeliveryState } from '../../../delivery/notifications/outbox.ts'
import {
  getPreferences,
  type Preferences,
  setPreferences,
} from '../../../delivery/notifications/preferences.ts'
import {
  type Delivery,
  type DeliveryFilters,
  findDelivery,
  listDeliveries,
} from '../../../delivery/notifications/deliveries.ts'
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import { readGauges } from '../../../delivery/notifications/gauges.ts'
import { retryAll, retryEvent } from '../../../delivery/notifications/retry-by-operator.ts'
import { CommandError, type Input, type Output } from '../command.ts'
import { getNamedAgency, auditCommand, onDatabase, readingDatabase, readingUnless } from '../open.ts'
import { fields, listed } from '../output.ts'

export const list = readingDatabase(async (input, { db }) => {
  const isFailing = input.isSet('failing')
  const filters = { ...(await readFilters(db, input, ['pending', 'set_aside'])), isFailing }
  const found = await listDeliveries(db, filters, { limit: Number(input.optional('limit') ?? 50), offset: 0 })
  return listedDeliveries(found)
})

/** An event's delivery by each channel. @throws CommandError if it has none */
async function getDeliveries(db: Db, id: string) {
  const found = await Promise.all(channels.map((name) => findDelivery(db, id, name)))
  const deliveries = found.filter((one) => one !== null)
  if (deliveries.length === 0) throw new CommandError(`Event "${id}" has no delivery.`)
  return deliveries
}

export const show = readingDatabase(async ({ positionals: [id = ''] }, { db }) => {
  const found = await getDeliveries(db, id)
  const attempts = found.flatMap(({ channel, attempt_log }) =>
    attempt_log.map((one) => ({ channel, ...one })),
  )
  const { text } = listed(
    attempts,
    {
      CHANNEL: 'channel',
      AT: 'at',
      TOOK: ({ duration_ms: ms }) => `${ms} ms`,
      OUTCOME: ({ succeeded }) => (succeeded ? 'delivered' : 'failed'),
      STATUS: 'status',
      DETAIL: 'detail',
    },
    'No attempts yet.',
  )
  return { json: found, text: `${listedDeliveries(found).text}\n\n${text}` }
})

export const retry = onDatabase(async (input, { db }) => {
  const deps = { db, clock: databaseClock }
  const event = input.optional('event')
  if ((event === null) !== input.isSet('all'))
    throw new CommandError('Give either --event EVENT-ID or --all.')
  const filters = await readFilters(db, input, ['set_aside'])
  const retried =
    event === null ? await retryAll(deps, filters) : await retryEvent(deps, event, filters.channel)
  const subject = event ?? String(retried)
  await auditCommand(db, 'notification_retried', filters.agencyId ?? null, subject)
  return {
    json: { retried },
    text: `${retried} ${retried === 1 ? 'delivery is' : 'deliveries are'} due now.`,
  }
})

export const status = readingDatabase(async (_input, { db }) => {
  const gauges = await readGauges(db, databaseClock)
  return listed(gauges, {
    CHANNEL: 'channel',
    PENDING: 'pending',
    FAILING: 'failing',
    'SET ASIDE': 'set_aside',
    'OLDEST PENDING': ({ oldest_pending_seconds: seconds }) => `${Math.round(seconds)} s`,
  })
})

export const preference = readingUnless(['mail', 'language'], async (input, { db }) => {
  const { id } = await getNamedAgency(db, input.text('agency'))
  const mail = input.optional('mail')
  const language = input.optional('language') ?? undefined
  const isChange = mail !== null || language !== undefined
  const changes = { ...(mail === null ? {} : { mail: mail === 'on' }), language }
  const change = async (tx: Tx): Promise<Preferences> => {
    const changed = await setPreferences(tx, id, changes)
    const details = { mail: changed.mail, language: changed.language }
    await auditCommand(tx, 'agency_changed', id, input.text('agency'), details)
    return changed
  }
  const preferences = isChange ? await inTransaction(db, change) : await getPreferences(db, id)
  return { json: preferences, text: describePreferences(preferences) }
})

/** @throws ApiError 404 for an unknown agency */
async function readFilters(
  db: Db,
  input: Input,
  byDefault: readonly DeliveryState[],
): Promise<Pick<DeliveryFilters, 'states' | 'channel' | 'agencyId'>> {
  const slug = input.optional('agency')
  const wanted = input.optional('channel')
  const states = input.list('state')
  return {
    states: states.length === 0 ? byDefault : (states as DeliveryState[]),
    ...(wanted === null ? {} : { channel: wanted as ChannelName }),
    ...(slug === null ? {} : { agencyId: (await getAgency(db, slug)).id }),
  }
}

function listedDeliveries(deliveries: readonly Delivery[]): Output {
  const columns = {
    AT: 'at',
    AGENCY: 'agency',
    LISTING: 'listing',
    EVENT: ({ type, sequence }: Delivery) => `${type} ${sequence}`,
    CHANNEL: 'channel',
    STATE: 'state',
    ATTEMPTS: 'attempts',
    NEXT: 'next_attempt_at',
    'EVENT-ID': 'event_id',
    DETAIL: 'detail',
  } as const
  return listed(deliveries, columns, 'No notifications.')
}

function describePreferences({ mail, language, unwanted }: Preferences): string {
  return fields([
    ['mail', mail ? 'on' : 'off'],
    ['language', language],
    ['unwanted', unwanted.join(', ') || 'none'],
  ])
}
