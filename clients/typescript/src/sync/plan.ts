/**
 * The steps that make the service's listings equal the file.
 */
import type { BatchItem, DisableInput, Property, PropertyInput } from '../types.ts'
import { type Difference, differences, patchOf } from './compare.ts'
import { contentFingerprint, fingerprint, type Known } from './journal.ts'
import { agreedSuspension, type LeftAlone, type Present, whyLeftAlone } from './left-alone.ts'
import type { BadRow, Wanted } from './listing.ts'

/** In the order of execution: steps that free addresses come before steps that take them. */
export const kinds = ['delete', 'disable', 'update', 'create', 'photos', 'enable'] as const
export type Kind = (typeof kinds)[number]

export type Step = { externalId: string; title: string } & (
  | { kind: 'create'; input: PropertyInput; content: string; photos: readonly string[] }
  | { kind: 'update'; item: BatchItem; content: string; differences: readonly Difference[] }
  | { kind: 'photos'; id: string; urls: readonly string[]; unknown: number }
  | { kind: 'disable'; reason: DisableInput['reason'] }
  | { kind: 'enable' }
  | { kind: 'delete' }
)
export type StepOf<K extends Kind> = Step & { kind: K }

export type Plan = {
  steps: Step[]
  /** Listings of the file that need nothing. */
  unchanged: string[]
  /** Listings of the file that somebody took off the market elsewhere. */
  leftAlone: LeftAlone[]
  /** Rows that cannot be carried out. */
  bad: BadRow[]
  /** Bad rows without a readable external id, which postpone requested deletions: each may be a listing that seems gone. */
  blockers: BadRow[]
  /** Listings with an external id that the file does not have. */
  gone: Property[]
  /** How many listings of the service have an external id. */
  managed: number
  /** External id → the listing as the service has it. */
  present: ReadonlyMap<string, Property>
  /** External id → fingerprint of what the file says. */
  contents: ReadonlyMap<string, string>
  /** External id → the suspension that the file agrees with. */
  suspensions: ReadonlyMap<string, string | undefined>
  places: ReadonlyMap<string, string>
  /** Place → its position in the file. */
  order: ReadonlyMap<string, number>
  /** External id → path → column. */
  columns: ReadonlyMap<string, ReadonlyMap<string, string>>
  notes: string[]
}

type PlanOptions = {
  deleteMissing: boolean
  forceDuplicates: boolean
  refreshPhotos: boolean
  republish: boolean
}

export function planOf(
  rows: readonly (Wanted | BadRow)[],
  present: Present,
  known: ReadonlyMap<string, Known>,
  options: PlanOptions,
): Plan {
  const { listings } = present
  const { wanted, bad } = withoutTwins(rows)
  const named = new Set(rows.map(({ externalId }) => externalId))
  const gone = [...listings.values()].filter(({ external_id }) => !named.has(external_id))
  const blockers =
    options.deleteMissing && gone.length > 0 ? bad.filter(({ externalId }) => externalId === null) : []
  const contents = new Map(wanted.map((one) => [one.externalId, contentFingerprint(one.content)]))
  const suspensions = new Map<string, string | undefined>()
  const steps: Step[] = []
  const unchanged: string[] = []
  const leftAlone: LeftAlone[] = []
  for (const one of wanted) {
    const { externalId } = one
    const property = listings.get(externalId)
    const before = known.get(externalId)
    const content = contents.get(externalId) ?? ''
    if (property !== undefined) suspensions.set(externalId, agreedSuspension(one, property, before))
    const why = options.republish ? null : whyLeftAlone(one, present, before)
    if (why !== null) {
      leftAlone.push({ externalId, title: property?.title ?? one.content.title ?? '', why })
      continue
    }
    const own =
      property === undefined
        ? [creationOf(one, content, options)]
        : changesOf(one, content, property, before, options)
    if (own.length === 0) unchanged.push(externalId)
    steps.push(...own)
  }
  if (options.deleteMissing && blockers.length === 0)
    steps.push(
      ...gone.map((property): Step => ({
        kind: 'delete',
        externalId: property.external_id ?? '',
        title: property.title ?? '',
      })),
    )
  const order = new Map(kinds.map((kind, index) => [kind, index]))
  return {
    steps: steps.toSorted((a, b) => (order.get(a.kind) ?? 0) - (order.get(b.kind) ?? 0)),
    unchanged,
    leftAlone,
    bad,
    blockers,
    gone,
    managed: listings.size,
    present: listings,
    contents,
    suspensions,
    places: new Map(
      rows.flatMap(({ externalId, place }) => (externalId === null ? [] : [[externalId, place]])),
    ),
    order: new Map(rows.map(({ place }, index) => [place, index])),
    columns: new Map(wanted.map(({ externalId, columns }) => [externalId, columns])),
    notes: notesOn(wanted, listings),
  }
}

/** If two rows have one external id, it is unknown which is right: neither is applied. */
function withoutTwins(rows: readonly (Wanted | BadRow)[]): { wanted: Wanted[]; bad: BadRow[] } {
  const places = new Map<string, string[]>()
  for (const { externalId, place } of rows)
    if (externalId !== null) places.set(externalId, [...(places.get(externalId) ?? []), place])
  const wanted: Wanted[] = []
  const bad: BadRow[] = []
  for (const row of rows) {
    const others = (places.get(row.externalId ?? '') ?? []).filter((place) => place !== row.place)
    const problems = 'problems' in row ? row.problems : []
    const twin = others.length === 0 ? [] : [`the same external id as ${others.join(', ')}`]
    if ('content' in row && twin.length === 0) wanted.push(row)
    else bad.push({ place: row.place, externalId: row.externalId, problems: [...problems, ...twin] })
  }
  return { wanted, bad }
}

function creationOf(wanted: Wanted, content: string, { forceDuplicates }: PlanOptions): Step {
  const { externalId, photos = [], status } = wanted
  const filled = Object.fromEntries(Object.entries(wanted.content).filter(([, value]) => value !== null))
  const input: PropertyInput = {
    ...filled,
    ...(photos.length === 0 ? {} : { photos: [...photos] }),
    ...(status === 'published' ? { status } : {}),
    ...(forceDuplicates ? { force_duplicate: true } : {}),
  }
  return { kind: 'create', externalId, title: wanted.content.title ?? '', input, content, photos }
}

function changesOf(
  wanted: Wanted,
  content: string,
  property: Property,
  known: Known | undefined,
  options: PlanOptions,
): Step[] {
  const { externalId, status } = wanted
  const title = property.title ?? wanted.content.title ?? ''
  const steps: Step[] = []
  // A listing that was sent and has not changed since is final, even if the service normalised it.
  const isApplied = known?.content === content && known.updatedAt === property.updated_at
  const found = isApplied ? [] : differences(wanted.content, property)
  if (found.length > 0) {
    const patch = patchOf(found, wanted.content, property)
    const isMoved = found.some(({ path }) => path === 'address' || path.startsWith('location.'))
    const force = options.forceDuplicates && isMoved ? { force_duplicate: true } : {}
    const item: BatchItem = { action: 'update', external_id: externalId, ...patch, ...force }
    steps.push({ kind: 'update', externalId, title, item, content, differences: found })
  }
  const photos = photosToSet(wanted, property, known, options)
  if (photos !== null) steps.push({ kind: 'photos', externalId, title, id: property.id, ...photos })
  if (status === 'published' && property.status !== 'published')
    steps.push({ kind: 'enable', externalId, title })
  if (status === 'disabled' && property.status === 'published')
    steps.push({ kind: 'disable', externalId, title, reason: wanted.reason })
  return steps
}

/** Null if the listing already has the photos. `unknown` is how many may have to be downloaded. */
function photosToSet(
  { photos }: Wanted,
  property: Property,
  known: Known | undefined,
  { refreshPhotos }: PlanOptions,
): { urls: readonly string[]; unknown: number } | null {
  if (photos === undefined) return null
  const isThere =
    photos.length === property.photos.length && photos.every((url, i) => url === property.photos[i])
  if (isThere) return null
  if (refreshPhotos && photos.length > 0) return { urls: photos, unknown: photos.length }
  const sources = photos.map(fingerprint)
  const failed = new Set(known?.failed)
  const before = new Set(known?.sources)
  const isSettled =
    known?.sources !== undefined &&
    known.photos === photosFingerprint(property) &&
    failed.size === 0 &&
    sources.length === known.sources.length &&
    sources.every((source, index) => source === known.sources?.[index])
  if (isSettled) return null
  const own = new Set(property.photos)
  const unknown = photos.filter((url, index) => {
    const source = sources[index] ?? ''
    return !own.has(url) && (!before.has(source) || failed.has(source))
  })
  return { urls: photos, unknown: unknown.length }
}

export function photosFingerprint({ photos }: Pick<Property, 'photos'>): string {
  return fingerprint(photos.join('\n'))
}

function notesOn(wanted: readonly Wanted[], present: ReadonlyMap<string, Property>): string[] {
  const silent = wanted.filter((one) => one.status === undefined && !present.has(one.externalId))
  const withoutCell = silent.filter(({ hasStatus }) => !hasStatus).length
  const withoutWord = silent.length - withoutCell
  const drafts = wanted.filter(
    (one) => one.status === 'draft' && (present.get(one.externalId)?.status ?? 'draft') !== 'draft',
  ).length
  const assumed = wanted.filter(({ hasAssumedCurrency }) => hasAssumedCurrency).length
  return [
    ...(withoutCell === 0 ? [] : [`No column says whether to publish: ${withoutCell} new will be drafts.`]),
    ...(withoutWord === 0
      ? []
      : [`${withoutWord} new do not say whether to publish (the cell is empty), and will be drafts.`]),
    ...(drafts === 0 ? [] : [`${drafts} cannot become drafts again, and keep their state.`]),
    ...(assumed === 0
      ? []
      : [
          `Expenses without a currency are taken for ARS: ${assumed} listings; change this with "defaults" in the map.`,
        ]),
  ]
}
