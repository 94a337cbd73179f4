/**
 * The command: reads, plans, shows the plan, and applies it if requested.
 */
import { readFileSync } from 'node:fs'
import type { ListingsClient } from '../client.ts'
import { ListingsError } from '../errors.ts'
import { wait } from '../signals.ts'
import type { Me } from '../types.ts'
import { carryOut, type Ending } from './apply.ts'
import { readArguments, type Settings, usage, UsageError, version } from './arguments.ts'
import { defaultJournal, type Journal, type Known, openJournal, readJournal } from './journal.ts'
import { readRow } from './listing.ts'
import { seenIn } from './left-alone.ts'
import { lock } from './lock.ts'
import { type MapFile, type MappedSource, mapSource } from './mapping.ts'
import { Outcomes } from './outcomes.ts'
import { type Plan, planOf, type Step } from './plan.ts'
import { newProgress, type Terminal } from './progress.ts'
import { writeReport } from './report.ts'
import { needOf } from './requests.ts'
import { resume } from './resume.ts'
import { nothing, plus, Room } from './room.ts'
import { clientOf, judge, judgedIn, readPresent } from './service.ts'
import { readSource, type Source } from './source.ts'
import { adviceOn, inWordsOfCommand } from './wording.ts'
import { count, describeEnding, describeEstimate, describePlan, some } from './texts.ts'

type World = {
  words: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  out: { write(text: string): unknown }
  err: Terminal
  /** Stops after the write in progress; the next run continues. */
  stop: AbortSignal
  /** Ends at once. */
  abort: AbortSignal
  now?: () => number
  pause?: (ms: number) => Promise<void>
}

const exitCodes = { done: 0, cannot: 1, failed: 2, early: 3, refused: 4, leftAlone: 5 } as const
/** The number of listings of a kind to name, unless all are requested. */
const fewNames = 10

/** @returns the exit code */
export async function run(world: World): Promise<number> {
  try {
    if (world.words.length === 0 || world.words.includes('--help') || world.words.includes('-h')) {
      world.out.write(`${usage}\n`)
      return exitCodes.done
    }
    if (world.words.includes('--version')) {
      world.out.write(`${version()}\n`)
      return exitCodes.done
    }
    return await runWith(readArguments(world.words, world.environment), world)
  } catch (error) {
    if (world.stop.aborted || world.abort.aborted) {
      world.err.write('It was interrupted. Run it again.\n')
      return exitCodes.early
    }
    // Mistakes in files and settings are reported in one line, bugs of the command with their stack.
    const isPlain =
      error instanceof ListingsError || (error as Error).constructor === Error || isOfSystem(error)
    const { message, stack } = error as Error
    const advice =
      error instanceof ListingsError
        ? adviceOn(error.code, Boolean(world.environment['SVC_SIGNING_SECRET']))
        : ''
    const text = inWordsOfCommand(message) + advice
    world.err.write(`${isPlain || error instanceof UsageError ? text : (stack ?? String(error))}\n`)
    return exitCodes.cannot
  }
}

/** Whether a system call failed: a missing file, a full disk. */
const isOfSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error

type Run = {
  source: Source
  mapping: MappedSource
  me: Me
  settings: Settings
  client: ListingsClient
  world: World
}

async function runWith(settings: Settings, world: World): Promise<number> {
  const { map, report } = settings
  const source = readSource(
    settings.source,
    [map, report].filter((path) => path !== undefined),
  )
  const mapping = mapSource(source, readMap(settings.map))
  if (settings.printMap) {
    world.out.write(`${JSON.stringify(mapping.printed, null, 2)}\n`)
    return exitCodes.done
  }
  const nameless = mapping.nameless[0]
  if (nameless !== undefined)
    throw new UsageError(
      `no column of ${nameless.name} is the external id (${nameless.columns.join(', ')}); name it in a map: --print-map prints one to start from`,
    )
  if (source.rows.length === 0) throw new UsageError(`${settings.source} has no listings`)
  // On a terminal, the line replaces the bar.
  const clear = world.err.isTTY === true ? '\r\u001B[K' : ''
  const client = clientOf(settings, world, (line) => world.err.write(`${clear}${line}\n`))
  const { data: me } = await client.me({ signal: world.stop })
  for (const scope of ['properties:read', 'properties:write'])
    if (!me.key.scopes.includes(scope))
      throw new UsageError(
        `the key ${me.key.prefix}… lacks ${scope}; the command needs one with properties:read and properties:write`,
      )
  const one: Run = { source, mapping, me, settings, client, world }
  const path = settings.journal ?? defaultJournal(settings.source, me.agency.slug)
  if (!settings.apply) return show(one, readJournal(path, me.agency.id))
  const release = lock(`${path}.lock`)
  try {
    const journal = openJournal(path, me.agency.id)
    try {
      return await apply(one, journal)
    } finally {
      journal.close()
    }
  } finally {
    release()
  }
}

/** Plans, and changes nothing. */
async function show(one: Run, { known, open }: ReturnType<typeof readJournal>): Promise<number> {
  const { settings, source, world, client } = one
  if (open.size > 0)
    world.out.write(`A run was interrupted. --apply first finishes its requests: ${count(open.size)}.\n\n`)
  const plan = await planFor(one, known)
  const isRefused = !describe(plan, one)
  const outcomes = new Outcomes(plan)
  if (settings.dryRun) {
    const batches = judgedIn(plan)
    world.out.write(`\nThe service judges the plan: ${some(batches.length, 'write')}.\n`)
    world.out.write(`${await judge(batches, outcomes, client, world.stop)}\n`)
  }
  if (settings.report !== undefined) writeReport(settings.report, outcomes.all(), source.style)
  if (isRefused) return exitCodes.refused
  if (plan.steps.length > 0) world.out.write('\nNothing was changed; --apply carries it out.\n')
  return exitCodeOf(outcomes)
}

async function apply(one: Run, journal: Journal): Promise<number> {
  const { settings, source, client, world } = one
  const now = world.now ?? Date.now
  const progress = newProgress(world.err)
  const pause = async (
    ms: number,
    { until, limits }: { until: number; limits: readonly string[] },
  ): Promise<void> => {
    progress.waiting(until, limits)
    // An abort ends the wait early; the caller checks the signal.
    await (world.pause ?? ((time) => wait(time, world.stop).catch(() => {})))(ms)
  }
  const { maxWaitMs, refreshPhotos } = settings
  const { abort, stop } = world
  const common = { client, journal, maxWaitMs, now, pause, abort, stop }
  const trouble = await resume(common)
  if (trouble !== null) {
    world.err.write(`It ended early: ${trouble}. Run it again.\n`)
    return exitCodes.early
  }
  const plan = await planFor(one, journal.known)
  if (!describe(plan, one)) return exitCodes.refused
  journal.learn(seenIn(plan, journal.known))
  const outcomes = new Outcomes(plan)
  const room = new Room((await client.me({ signal: stop })).data, now)
  const startedAt = now()
  let total = plan.steps.length
  const onProgress = (left: readonly Step[]): void => {
    total = Math.max(total, left.length)
    const done = total - left.length
    const estimate = room.estimate(left.map(needOf).reduce(plus, nothing))
    const byLimits = estimate === null || 'never' in estimate ? 0 : estimate.ms
    const byPace = done === 0 ? 0 : ((now() - startedAt) / done) * left.length
    const longest = Math.max(byLimits, byPace)
    const remainingMs = longest === 0 ? null : longest
    progress.show({ done, total, failed: outcomes.count('failed'), remainingMs })
  }
  let ending: Ending
  // Also at the start: a path that cannot be written is reported before anything is sent.
  const report = (): void => {
    if (settings.report !== undefined) writeReport(settings.report, outcomes.all(), source.style)
  }
  report()
  try {
    if (total > 0) {
      world.out.write('\n')
      onProgress(plan.steps)
    }
    ending = await carryOut(plan, { ...common, room, outcomes, refreshPhotos, onProgress })
  } finally {
    progress.end()
    report()
  }
  const all = outcomes.all()
  world.out.write(`${describeEnding(ending, all, maxNames(settings))}\n`)
  if (!ending.complete) return exitCodes.early
  return exitCodeOf(outcomes)
}

function exitCodeOf(outcomes: Outcomes): number {
  const isFlawed = outcomes
    .all()
    .some(({ state, failed_photos }) => failed_photos.length > 0 || /failed|invalid/.test(state))
  if (isFlawed) return exitCodes.failed
  return outcomes.count('left alone') > 0 ? exitCodes.leftAlone : exitCodes.done
}

async function planFor(
  { source, mapping, client, settings, world }: Run,
  known: ReadonlyMap<string, Known>,
): Promise<Plan> {
  const rows = source.tables.flatMap((table) => table.rows.map((row) => readRow(row, mapping.of(table, row))))
  return planOf(rows, await readPresent(client, world.stop), known, settings)
}

/** Shows the plan. @returns false if it is refused */
function describe(plan: Plan, { source, mapping, me, settings, world }: Run): boolean {
  world.out.write(`${describePlan(plan, source, me, maxNames(settings))}\n`)
  if (mapping.unused.length > 0)
    world.out.write(`\nColumns that match no field: ${mapping.unused.join(', ')}\n`)
  if (mapping.notes.length > 0) world.out.write(`\n${mapping.notes.join('\n')}\n`)
  const refusal = refusalOf(plan, settings)
  if (refusal !== null) world.err.write(`\n${refusal}\n`)
  else if (plan.steps.length > 0) {
    const room = new Room(me, world.now ?? Date.now)
    world.out.write(`\n${describeEstimate(room.estimate(plan.steps.map(needOf).reduce(plus, nothing)))}\n`)
  }
  return refusal === null
}

const maxNames = ({ all }: Settings): number => (all ? Number.POSITIVE_INFINITY : fewNames)

function refusalOf(
  { blockers, gone, managed }: Plan,
  { deleteMissing, maxDeleteShare }: Settings,
): string | null {
  if (!deleteMissing || blockers.length > 0 || gone.length <= managed * maxDeleteShare) return null
  const percent = Math.round((gone.length / managed) * 100)
  return `Refused: ${count(gone.length)} of ${count(managed)} listings (${percent} %) would be deleted; --max-delete-share allows ${Number((maxDeleteShare * 100).toFixed(2))} %. Nothing was changed.`
}

function readMap(path?: string): MapFile {
  if (path === undefined) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as MapFile
  } catch (error) {
    throw new UsageError(`--map ${path}: ${(error as Error).message}`, { cause: error })
  }
}
