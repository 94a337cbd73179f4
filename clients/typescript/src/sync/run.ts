/**
 * The command: reads, plans, shows, and carries out what it was asked to.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { cutIntoBatches } from '../batches.ts'
import { ListingsClient } from '../client.ts'
import { ListingsError } from '../errors.ts'
import { wait } from '../signals.ts'
import type { Me, Property } from '../types.ts'
import { carryOut, type Ending } from './apply.ts'
import { readArguments, type Settings, usage, UsageError } from './arguments.ts'
import { type Journal, openJournal, readJournal } from './journal.ts'
import { readRow } from './listing.ts'
import { lock } from './lock.ts'
import { type MapFile, type Mapping, mapColumns, printedMap } from './mapping.ts'
import { Outcomes } from './outcomes.ts'
import { type Plan, planOf, type Step } from './plan.ts'
import { newProgress, type Terminal } from './progress.ts'
import { writeReport } from './report.ts'
import { fitsNoBatch, itemOf, needOf } from './requests.ts'
import { resume } from './resume.ts'
import { nothing, plus, Room } from './room.ts'
import { readSource, type Source } from './source.ts'
import { count, describeEstimate, describePlan, oneLine } from './texts.ts'

export type World = {
  words: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  out: { write(text: string): unknown }
  err: Terminal
  /** Stops after what is under way; the next run goes on. */
  stop: AbortSignal
  /** Ends at once. */
  abort: AbortSignal
  now?: () => number
  pause?: (ms: number) => Promise<void>
}

export const exitCodes = { done: 0, cannot: 1, failed: 2, early: 3, refused: 4 } as const

/** @returns the exit code */
export async function run(world: World): Promise<number> {
  try {
    if (world.words.length === 0 || world.words.includes('--help') || world.words.includes('-h')) {
      world.out.write(`${usage}\n`)
      return exitCodes.done
    }
    return await runWith(readArguments(world.words, world.environment), world)
  } catch (error) {
    if (world.abort.aborted) return exitCodes.early
    const expected = error instanceof ListingsError || error instanceof UsageError || isPlain(error)
    world.err.write(`${expected ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`)
    return exitCodes.cannot
  }
}

/** What files and maps have wrong is told in one line; a fault of the command with its stack. */
const isPlain = (error: unknown): boolean => error instanceof Error && error.constructor === Error

async function runWith(settings: Settings, world: World): Promise<number> {
  const source = readSource(settings.source)
  const mapping = mapColumns(source.columns, readMap(settings.map))
  if (settings.printMap) {
    world.out.write(`${JSON.stringify(printedMap(source.columns, mapping), null, 2)}\n`)
    return exitCodes.done
  }
  if (!mapping.columns.has('external_id'))
    throw new UsageError(
      `no column of ${settings.source} is the external id (${source.columns.join(', ')}); name it in a map: --print-map prints one to start from`,
    )
  const client = clientOf(settings, world)
  const { data: me } = await client.me()
  for (const scope of ['properties:read', 'properties:write'])
    if (!me.key.scopes.includes(scope)) throw new UsageError(`the key ${me.key.prefix}… lacks ${scope}`)
  const journalPath = settings.journal ?? defaultJournal(settings.source, me)
  if (!settings.apply) {
    const { known, open } = readJournal(journalPath, me.agency.id)
    if (open.size > 0)
      world.out.write(
        `A run was interrupted: ${count(open.size)} of its requests are finished first by --apply.\n\n`,
      )
    const plan = planOf(rowsOf(source, mapping), await readPresent(client), known, settings)
    return show(plan, { source, mapping, me, settings, client, world })
  }
  const release = lock(`${journalPath}.lock`)
  try {
    const journal = openJournal(journalPath, me.agency.id)
    try {
      return await apply({ source, mapping, me, settings, client, world }, journal)
    } finally {
      journal.close()
    }
  } finally {
    release()
  }
}

type Run = {
  source: Source
  mapping: Mapping
  me: Me
  settings: Settings
  client: ListingsClient
  world: World
}

async function show(plan: Plan, run: Run): Promise<number> {
  const { settings, world, client } = run
  const refusal = describe(plan, run)
  const outcomes = new Outcomes(plan)
  if (settings.dryRun) world.out.write(`\n${await judge(plan, outcomes, client)}\n`)
  if (settings.report !== undefined) writeReport(settings.report, outcomes.all())
  if (refusal !== null) return exitCodes.refused
  if (plan.steps.length > 0) world.out.write('\nNothing was changed; --apply carries it out.\n')
  return plan.bad.length > 0 || outcomes.count('failed') > 0 ? exitCodes.failed : exitCodes.done
}

async function apply(run: Run, journal: Journal): Promise<number> {
  const { source, mapping, settings, client, world } = run
  const now = world.now ?? Date.now
  const progress = newProgress(world.err, now)
  const pause = async (ms: number, limits: readonly string[]): Promise<void> => {
    progress.waiting(ms, limits)
    await (world.pause ?? ((time) => pauseFor(time, world.stop)))(ms)
  }
  const common = { client, journal, maxWaitMs: settings.maxWaitMs, now, pause, signal: world.abort }
  const isStopping = (): boolean => world.stop.aborted
  const trouble = await resume({ ...common, isStopping })
  if (trouble !== null) {
    world.err.write(`It ended early: ${trouble}. Run it again.\n`)
    return exitCodes.early
  }
  const plan = planOf(rowsOf(source, mapping), await readPresent(client), journal.known, settings)
  const refusal = describe(plan, run)
  const outcomes = new Outcomes(plan)
  if (refusal !== null) return exitCodes.refused
  // Listings that are as they should be need not be compared field by field next time.
  journal.learn(unchangedIn(plan, journal))
  const { data: me } = await client.me()
  const room = new Room(me, now)
  const startedAt = now()
  let total = plan.steps.length
  const onProgress = (left: readonly Step[]): void => {
    total = Math.max(total, left.length)
    const done = total - left.length
    const estimate = room.estimate(left.map(needOf).reduce(plus, nothing))
    const byLimits = estimate === null || 'never' in estimate ? 0 : estimate.ms
    const byPace = done === 0 ? 0 : ((now() - startedAt) / done) * left.length
    progress.show({ done, total, failed: outcomes.count('failed'), remainingMs: Math.max(byLimits, byPace) })
  }
  let ending: Ending
  try {
    if (total > 0) world.out.write('\n')
    const { refreshPhotos } = settings
    ending = await carryOut(plan, { ...common, room, outcomes, refreshPhotos, isStopping, onProgress })
  } finally {
    progress.end()
    if (settings.report !== undefined) writeReport(settings.report, outcomes.all())
  }
  return conclude(ending, outcomes, world)
}

function conclude(ending: Ending, outcomes: Outcomes, { out }: World): number {
  const failed = outcomes.all().filter(({ state }) => state === 'failed' || state === 'limited')
  const lines = failed
    .slice(0, 20)
    .map(({ external_id, error }) => `  ! ${external_id}  ${error?.code}: ${oneLine(error?.message ?? '')}`)
  if (failed.length > 20) lines.push(`    … and ${count(failed.length - 20)} more`)
  const photos = outcomes.all().reduce((sum, { failed_photos }) => sum + failed_photos.length, 0)
  if (photos > 0) lines.push(`${count(photos)} photos could not be stored; the next run tries them again.`)
  const done = outcomes.count('done')
  const unreadable = outcomes.count('invalid')
  const parts = [`${count(done)} done`, `${count(failed.length)} failed`]
  if (unreadable > 0) parts.push(`${count(unreadable)} unreadable`)
  lines.push(`${parts.join(', ')}.`)
  if (!ending.complete) lines.push(`It ended early: ${ending.why}. Run it again.`)
  out.write(`${lines.join('\n')}\n`)
  if (!ending.complete) return exitCodes.early
  return failed.length + unreadable + photos > 0 ? exitCodes.failed : exitCodes.done
}

/** Shows the plan. @returns why it is refused, or null */
function describe(plan: Plan, { source, mapping, me, settings, world }: Run): string | null {
  const most = settings.all ? Number.POSITIVE_INFINITY : 10
  world.out.write(`${describePlan(plan, source, me, most)}\n`)
  if (mapping.unused.length > 0)
    world.out.write(`\nColumns that mean nothing: ${mapping.unused.join(', ')}\n`)
  const refusal = refusalOf(plan, settings)
  if (refusal !== null) world.err.write(`\n${refusal}\n`)
  else if (plan.steps.length > 0) {
    const room = new Room(me, world.now ?? Date.now)
    world.out.write(`\n${describeEstimate(room.estimate(plan.steps.map(needOf).reduce(plus, nothing)))}\n`)
  }
  return refusal
}

function refusalOf({ gone, managed, bad }: Plan, { deleteMissing, maxDeleteShare }: Settings): string | null {
  if (!deleteMissing || gone.length === 0) return null
  if (bad.some(({ externalId }) => externalId === null))
    return 'Refused: a row without a readable external id may be one of those to be deleted. Nothing was changed.'
  if (gone.length <= managed * maxDeleteShare) return null
  const percent = Math.round((gone.length / managed) * 100)
  return `Refused: ${count(gone.length)} of ${count(managed)} listings (${percent} %) would be deleted; --max-delete-share allows ${maxDeleteShare * 100} %. Nothing was changed.`
}

/** Lets the service judge the plan's creations, edits and suspensions, one batch after the other. */
async function judge(plan: Plan, outcomes: Outcomes, client: ListingsClient): Promise<string> {
  const steps = plan.steps.filter(
    (step) =>
      step.kind !== 'photos' && step.kind !== 'enable' && !(step.kind === 'create' && fitsNoBatch(step)),
  )
  const items = steps.flatMap((step) => itemOf(step) ?? [])
  let before = 0
  let refused = 0
  for (const batch of cutIntoBatches(items)) {
    const { results } = await client.batch(batch, { dryRun: true })
    for (const { index, error } of results)
      if (error !== undefined) {
        refused += 1
        outcomes.failed(steps[before + index]?.externalId ?? '', error)
      }
    before += batch.length
  }
  const lines = outcomes
    .all()
    .filter(({ state }) => state === 'failed')
    .map(({ external_id, error }) => `  ! ${external_id}  ${error?.code}: ${oneLine(error?.message ?? '')}`)
  return [
    `The service judged ${count(items.length)} steps and would refuse ${count(refused)}.`,
    ...lines,
  ].join('\n')
}

function unchangedIn(plan: Plan, { known }: Journal) {
  return new Map(
    plan.unchanged.flatMap((externalId) => {
      const content = plan.contents.get(externalId)
      const updatedAt = plan.present.get(externalId)?.updated_at ?? undefined
      const before = known.get(externalId)
      if (before?.content === content && before?.updatedAt === updatedAt) return []
      return [[externalId, { ...before, content, updatedAt }] as const]
    }),
  )
}

function rowsOf({ rows }: Source, mapping: Mapping) {
  return rows.map((row) => readRow(row, mapping))
}

function readMap(path?: string): MapFile {
  if (path === undefined) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as MapFile
  } catch (error) {
    throw new UsageError(`--map ${path}: ${(error as Error).message}`)
  }
}

/** Every listing of the agency that has an external id. */
async function readPresent(client: ListingsClient): Promise<Map<string, Property>> {
  const byId = new Map<string, Property>()
  for await (const { id, property } of client.changes())
    if (property === null) byId.delete(id)
    else byId.set(id, property)
  return new Map(
    [...byId.values()].flatMap((property) =>
      property.external_id === null ? [] : [[property.external_id, property] as const],
    ),
  )
}

/** Beside the source, and one for each agency: a test key's is another. */
function defaultJournal(source: string, { agency }: Me): string {
  const path = resolve(source)
  const folder = existsSync(path) && statSync(path).isDirectory() ? path : dirname(path)
  return join(folder, `.listings-sync.${basename(agency.slug)}.journal`)
}

function clientOf({ url, key, signingSecret, serviceName }: Settings, { abort }: World): ListingsClient {
  return new ListingsClient({
    baseUrl: url,
    key,
    signingSecret,
    serviceName,
    userAgent: 'ListingsSync/1.0',
    // A service that is away for a quarter of an hour does not end a run.
    retry: { retries: 25, maxMs: 60_000 },
    etags: false,
    signal: abort,
  })
}

async function pauseFor(ms: number, stop: AbortSignal): Promise<void> {
  try {
    await wait(Math.min(ms, 2 ** 31 - 1), stop)
  } catch {
    // The caller looks at the signal.
  }
}
