/**
 * The command's texts about a plan and its progress.
 */
import type { Me } from '../types.ts'
import type { Difference } from './compare.ts'
import type { Ending } from './apply.ts'
import type { LeftAlone } from './left-alone.ts'
import type { BadRow } from './listing.ts'
import type { Outcome } from './outcomes.ts'
import type { Kind, Plan, Step } from './plan.ts'
import type { Estimate } from './room.ts'
import type { Source } from './source.ts'

export const count = (number: number): string => number.toLocaleString('en-US')

/** `1 photo`, `2 photos` */
export const some = (number: number, noun: string): string =>
  `${count(number)} ${noun}${number === 1 ? '' : 's'}`

const labels: Readonly<Record<Kind, string>> = {
  create: 'New',
  update: 'Changed',
  photos: 'Photos',
  enable: 'Publish',
  disable: 'Suspend',
  delete: 'Delete',
}
const signs: Readonly<Record<Kind, string>> = {
  create: '+',
  update: '~',
  photos: '▣',
  enable: '▲',
  disable: '▼',
  delete: '−',
}
/** The order for readers, which is not the order of execution. */
const shownOrder: readonly Kind[] = ['create', 'update', 'photos', 'enable', 'disable', 'delete']

/** @param most how many listings to name of each kind */
export function describePlan(plan: Plan, source: Source, me: Me, most: number): string {
  const of = (kind: Kind): Step[] => plan.steps.filter((step) => step.kind === kind)
  const rows: [string, number, string][] = shownOrder
    .filter((kind) => kind !== 'delete' || of(kind).length > 0)
    .map((kind) => [labels[kind], of(kind).length, kind === 'create' ? publishedNote(of(kind)) : ''])
  if (of('delete').length === 0) rows.push(['Not in file', plan.gone.length, goneNote(plan)])
  rows.push(['Unchanged', plan.unchanged.length, ''])
  if (plan.leftAlone.length > 0)
    rows.push([
      'Left alone',
      plan.leftAlone.length,
      'suspended, closed or deleted elsewhere; --republish puts them back on the market',
    ])
  if (plan.bad.length > 0) rows.push(['Unreadable', plan.bad.length, 'left alone'])
  const width = Math.max(...rows.map(([, number]) => count(number).length))
  const named = shownOrder.flatMap((kind) => someOf(of(kind).map(describeStep), most))
  const shownKinds = shownOrder.filter((kind) => of(kind).length > 0)
  const legend = `  (${shownKinds.map((kind) => `${signs[kind]} ${labels[kind].toLowerCase()}`).join(', ')})`
  const leftAlone = plan.leftAlone.map(
    ({ externalId, title, why }) =>
      `  = ${externalId}  ${plan.places.get(externalId)}  ${oneLine(title)}: ${elsewhere[why]}`,
  )
  const bad = plan.bad.map(describeBad)
  return [
    `Agency   ${me.agency.name} (${me.agency.slug})${me.agency.test ? ' TEST' : ''}`,
    `File     ${source.files.join(', ')}: ${count(source.rows.length)} listings`,
    ...(source.skipped.length === 0 ? [] : [`         not read: ${source.skipped.join(', ')}`]),
    `Service  ${count(plan.managed)} listings with an external id`,
    '',
    ...rows.map(([label, number, note]) =>
      `  ${label.padEnd(13)}${count(number).padStart(width)}  ${note}`.trimEnd(),
    ),
    ...(named.length === 0 ? [] : ['', legend, ...named]),
    ...(leftAlone.length === 0 ? [] : ['', ...someOf(leftAlone, most)]),
    ...(bad.length === 0 ? [] : ['', ...someOf(bad, most)]),
    ...describeBlockers(plan, most),
    ...(plan.notes.length === 0 ? [] : ['', ...plan.notes]),
  ].join('\n')
}

const elsewhere: Readonly<Record<LeftAlone['why'], string>> = {
  suspended: 'suspended or closed elsewhere',
  deleted: 'deleted elsewhere',
}

function goneNote({ blockers, gone }: Plan): string {
  if (gone.length === 0) return ''
  return blockers.length === 0
    ? 'left alone; --delete-missing deletes them'
    : 'not deleted: an external id of the file cannot be read'
}

function describeBad({ place, externalId, problems }: BadRow): string {
  return `  ! ${externalId ?? '?'}  ${place}  ${oneLine(problems.join('; '))}`
}

function describeBlockers({ blockers, gone }: Plan, most: number): string[] {
  if (blockers.length === 0) return []
  return [
    '',
    `Nothing is deleted until these rows can be read. Each may be a listing that seems not to be in the file (${count(gone.length)}):`,
    ...someOf(blockers.map(describeBad), most),
  ]
}

function publishedNote(steps: readonly Step[]): string {
  if (steps.length === 0) return ''
  const published = steps.filter((step) => step.kind === 'create' && step.input.status === 'published')
  return `${count(published.length)} to be published, ${some(steps.length - published.length, 'draft')}`
}

function someOf(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines]
  return [...lines.slice(0, most), `    … and ${count(lines.length - most)} more`]
}

function describeStep(step: Step): string {
  const text = `  ${signs[step.kind]} ${step.externalId}  ${oneLine(step.title)}`
  if (step.kind === 'update') return `${text}  ${step.differences.map(describeDifference).join(', ')}`
  if (step.kind === 'photos')
    return `${text}  ${some(step.urls.length, 'photo')}, ${step.unknown} to download`
  return text.trimEnd()
}

function describeDifference({ path, from, to }: Difference): string {
  return `${path}: ${shown(from)} → ${shown(to)}`
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')
  const line = oneLine(text)
  return line.length > 30 ? `${line.slice(0, 29)}…` : line
}

/** Texts of files and responses may contain anything: removes line breaks and terminal control characters. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

export function describeEstimate(estimate: Estimate | null): string {
  if (estimate === null) return 'The limits have room for all of it now.'
  if ('never' in estimate) return `The limit ${estimate.never} is 0: ask the operator to raise it.`
  return (
    `At the present limits this takes about ${duration(estimate.ms)}: ${estimate.limit} lets ${count(estimate.max)} pass at a time.` +
    (estimate.ms > 2 * 3_600_000 ? ' The operator can raise the limits of your agency for a first load.' : '')
  )
}

/** A line for each listing that failed. */
export function describeFailures(outcomes: readonly Outcome[], most: number): string[] {
  const failed = outcomes.filter(({ state }) => state === 'failed')
  return someOf(
    failed.map(
      ({ external_id, place, error }) =>
        `  ! ${external_id}  ${place === null ? '' : `${place}  `}${error?.code}: ${oneLine(error?.message ?? '')}`,
    ),
    most,
  )
}

/** The result of a run. */
export function describeEnding(ending: Ending, outcomes: readonly Outcome[], most: number): string {
  const of = (...states: Outcome['state'][]): number =>
    outcomes.filter(({ state }) => states.includes(state)).length
  const photos = outcomes.flatMap(({ external_id, failed_photos }) =>
    failed_photos.map(({ url, error }) => `  ! ${external_id}  ${oneLine(url)}: ${oneLine(error ?? '')}`),
  )
  const leftAlone = outcomes.flatMap(({ state, external_id, place, error }) =>
    state === 'left alone' ? [`  = ${external_id}  ${place}  ${error?.message}`] : [],
  )
  const kept = outcomes.filter(({ state, error }) => state === 'not in file' && error !== null).length
  const warnings = outcomes.reduce((sum, one) => sum + one.warnings.length, 0)
  const parts = [`${some(of('done'), 'listing')} done`, `${count(of('failed'))} failed`]
  if (of('limited') > 0) parts.push(`${count(of('limited'))} held up by limits`)
  if (of('planned') > 0) parts.push(`${count(of('planned'))} left`)
  if (leftAlone.length > 0) parts.push(`${count(leftAlone.length)} left alone`)
  if (of('invalid') > 0) parts.push(`${count(of('invalid'))} unreadable`)
  if (kept > 0) parts.push(`${count(kept)} not deleted, because an external id cannot be read`)
  if (warnings > 0) parts.push(`${some(warnings, 'warning')} (in the --report)`)
  return [
    ...describeFailures(outcomes, most),
    ...someOf(leftAlone, most),
    ...someOf(photos, most),
    ...(photos.length === 0
      ? []
      : [`${some(photos.length, 'photo')} could not be stored; the next run tries them again.`]),
    `${parts.join(', ')}.`,
    ...(ending.complete ? [] : [`It ended early: ${ending.why}. Run it again.`]),
  ].join('\n')
}

/** `3 minutes`, `5 hours`, `12 days`. */
export function duration(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1_000, 'second'],
  ]
  const [size, name] = units.find(([one]) => ms >= 1.5 * one) ?? [1_000, 'second']
  const number = Math.max(1, Math.round(ms / size))
  return some(number, name)
}
