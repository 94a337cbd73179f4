/**
 * Delivers the events of the outbox at least once each, in the order of their lane. A worker takes a lane, sends its first events without
 * an open transaction, and stores the outcome. A failing lane waits without delaying others; when a worker dies, its lanes are free once
 * their lease ends.
 */
import { type Clock, inTime } from '../../../platform/time/clock.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Db } from '../../../platform/db/database.ts'
import { deliveryAttempts, deliverySeconds } from '../../../platform/log/counters.ts'
import { type MailChanges, marketplaceBody, type PendingEvent, type ViewOfEvent } from '../event.ts'
import { DeliveryFailure, failureOf, type Why } from '../failure.ts'
import { patienceMs, waitAfter } from '../retry-schedule.ts'
import { endUnconfigured, type Lane, readLane, type Recipient, settleLane, leaseLanes } from './lanes.ts'
import type { Marketplace } from './marketplace.ts'
import type { ChannelName } from '../outbox.ts'

export type DeliveryDeps = {
  config: Pick<Config, 'publicBaseUrl' | 'serviceName'>
  db: Db
  clock: Clock
  /** Null if the channel is not configured. */
  mailChanges: MailChanges | null
  marketplace: Marketplace | null
  viewOfEvent: ViewOfEvent
}

type Channel = {
  isConfigured: (deps: DeliveryDeps) => boolean
  /** Maximum events per attempt. */
  atATime: number
  /** Longer than an attempt, so that only a dead worker's lease expires. */
  leaseMs: number
  attemptMs: number
  /** The wait between two deliveries. */
  restMs: number
  /** Why the recipient gets no notification of the event, or null. */
  declined: (recipient: Recipient, event: PendingEvent) => Why | null
  /** @returns the HTTP status, if there is one. @throws Error */
  send: (deps: DeliveryDeps, recipient: Recipient, events: readonly PendingEvent[]) => Promise<number | null>
}

const deliveryChannels: Readonly<Record<ChannelName, Channel>> = {
  mail: {
    isConfigured: ({ mailChanges }) => mailChanges !== null,
    atATime: 100,
    leaseMs: 45_000,
    attemptMs: 20_000,
    restMs: 30_000,
    declined: ({ email, mail, unwanted }, { type }) => {
      if (email === null) return { kind: 'no_address' }
      return mail && !unwanted.includes(type) ? null : { kind: 'unwanted' }
    },
    async send({ mailChanges, viewOfEvent, config }, agency, events) {
      const changes = events.map((event) => ({
        event,
        view: viewOfEvent(event, agency, config.publicBaseUrl),
      }))
      await mailChanges?.(agency, changes)
      return null
    },
  },
  marketplace: {
    isConfigured: ({ marketplace }) => marketplace !== null,
    atATime: 1,
    leaseMs: 30_000,
    attemptMs: 15_000,
    restMs: 0,
    declined: () => null,
    async send({ marketplace, viewOfEvent, config, clock }, agency, events) {
      let status: number | null = null
      for (const event of events) {
        const body = marketplaceBody(event, viewOfEvent(event, agency, config.publicBaseUrl))
        const seconds = Math.floor((Date.now() + clock.offsetMs) / 1_000)
        status = (await marketplace?.send(event.event_id, body, seconds)) ?? null
      }
      return status
    },
  },
}

/** Lanes of a channel that is not configured are settled together. */
const unconfiguredAtATime = 200

/** Takes up to `limit` due lanes. @returns a promise for each, which resolves when its outcome is stored */
export async function startDue(deps: DeliveryDeps, name: ChannelName, limit: number) {
  const { db, clock } = deps
  const channel = deliveryChannels[name]
  if (!channel.isConfigured(deps)) {
    const lanes = await leaseLanes(db, clock, name, unconfiguredAtATime, channel.leaseMs)
    return lanes.length === 0 ? [] : [endUnconfigured(db, clock, lanes).then(() => {})]
  }
  const taken = performance.now()
  const lanes = await leaseLanes(db, clock, name, limit, channel.leaseMs)
  return lanes.map((lane) => deliverLane(deps, channel, lane, taken))
}

async function deliverLane(deps: DeliveryDeps, channel: Channel, lane: Lane, takenAt: number): Promise<void> {
  const { clock } = deps
  const db = await deps.db.at(lane.agency_id)
  const { events, recipient, hasMore: isMore } = await readLane(db, lane, channel.atATime)
  const done = { attempt: undefined, why: null, failures: 0, waitMs: 0, isMore, restMs: 0 }
  if (recipient === null) {
    await settleLane(db, clock, lane, { ...done, results: [] })
    return
  }
  const declined = events.filter((event) => channel.declined(recipient, event) !== null)
  if (declined[0] !== undefined) {
    // The other events follow at once, when the lane is taken again.
    await settleLane(db, clock, lane, {
      ...done,
      results: stateOf(declined, 'skipped'),
      why: channel.declined(recipient, declined[0]),
      failures: lane.failures,
      isMore: isMore || declined.length < events.length,
    })
    return
  }
  // The database was slow: the lease could end during the attempt. The lane is taken again once the lease has ended.
  // Model notification-lanes: check lease
  if (performance.now() - takenAt > channel.leaseMs - channel.attemptMs) return
  const started = performance.now()
  const late = new DeliveryFailure({ kind: 'late', seconds: channel.attemptMs / 1_000 })
  // Model notification-lanes: send
  const sending = channel.send(deps, recipient, events).catch(failureOf)
  const outcome = await inTime(channel.attemptMs, sending, late)
  const durationMs = Math.round(performance.now() - started)
  const succeeded = !(outcome instanceof DeliveryFailure)
  const labels = [lane.channel, succeeded ? 'delivered' : 'failed']
  deliveryAttempts.add(labels)
  deliverySeconds.add(labels, durationMs / 1_000)
  if (succeeded) {
    await settleLane(db, clock, lane, {
      ...done,
      results: stateOf(events, 'delivered'),
      attempt: { succeeded, status: outcome, durationMs },
      waitMs: isMore ? 0 : channel.restMs,
      restMs: channel.restMs,
    })
    return
  }
  const failures = lane.failures + 1
  const left = events.map((event) => (outcome.isFinal ? 0 : patienceLeft(event, lane)))
  const results = events.map(({ event_id }, index) => ({
    event_id,
    state: (left[index] ?? 0) > 0 ? ('pending' as const) : ('set_aside' as const),
  }))
  const waiting = left.filter((one) => one > 0)
  const isOver = waiting.length === 0
  await settleLane(db, clock, lane, {
    ...done,
    results,
    attempt: { succeeded, status: outcome.status, durationMs },
    why: outcome.why,
    failures: isOver ? 0 : failures,
    // The last attempt comes when the patience ends.
    waitMs: isOver ? 0 : Math.min(waitAfter(failures, outcome.pauseMs), ...waiting),
    isMore: isMore || !isOver,
  })
}

function stateOf<State>(events: readonly PendingEvent[], state: State) {
  return events.map(({ event_id }) => ({ event_id, state }))
}

function patienceLeft({ first_attempt_at }: PendingEvent, { taken_at }: Lane): number {
  return patienceMs - (Date.parse(taken_at) - Date.parse(first_attempt_at ?? taken_at))
}
