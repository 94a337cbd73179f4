/**
 * Turns steps into requests, and responses into knowledge about listings. A request that a killed run left is treated like one of this run.
 */
import { batchLimits } from '../batches.ts'
import type { ListingsClient } from '../client.ts'
import type { ItemError } from '../errors.ts'
import type { BatchItem, PhotoResult, Property, SetPhotoResult, Warning } from '../types.ts'
import { fingerprint, type Intent, type Known } from './journal.ts'
import { photosFingerprint, type Step, type StepOf } from './plan.ts'
import { type Need, nothing } from './room.ts'

/** The outcome of one listing in a request. */
export type Verdict = {
  externalId: string
  status: number
  /** As it is now; null if it was deleted or the step failed. */
  property: Property | null
  photos: readonly (PhotoResult | SetPhotoResult)[]
  warnings: readonly Warning[]
  error: ItemError | null
}

type Options = { client: ListingsClient; signal: AbortSignal }

/** Sends the request until there is a response. @throws ListingsError */
export async function sendIntent(intent: Intent, { client, signal }: Options): Promise<Verdict[]> {
  const options = { idempotencyKey: intent.key, signal }
  const [subject] = intent.subjects
  const externalId = subject?.externalId ?? ''
  if (intent.kind === 'photos') {
    const { data, photos, warnings, response } = await client.setPhotos(intent.listing, intent.urls, {
      ...options,
      ...(intent.refresh ? { refresh: true } : {}),
    })
    return [{ externalId, status: response.status, property: data, photos, warnings, error: null }]
  }
  if (intent.kind === 'put') {
    const { data, photos = [], warnings, response } = await client.put(externalId, intent.input, options)
    return [{ externalId, status: response.status, property: data, photos, warnings, error: null }]
  }
  const { results } = await client.batch(intent.items, options)
  return results.map(({ index, status, data, error, photos = [], warnings }) => ({
    externalId: intent.subjects[index]?.externalId ?? '',
    status,
    property: data !== undefined && 'photos' in data ? data : null,
    photos,
    warnings,
    error: error ?? null,
  }))
}

/** The journal's new record of each listing, from the response. */
export function learn(
  intent: Intent,
  verdicts: readonly Verdict[],
  known: ReadonlyMap<string, Known>,
): Map<string, Known> {
  const learnt = new Map<string, Known>()
  for (const [index, { externalId, status, property, photos, error }] of verdicts.entries()) {
    const subject = intent.subjects[index]
    const item = intent.kind === 'batch' ? intent.items[index] : undefined
    if (subject === undefined) continue
    if (item?.action === 'delete' && (error === null || error.code === 'not_found'))
      learnt.set(externalId, { deleted: true })
    if (error !== null || property === null) continue
    const before = known.get(externalId)
    const isSuspension = item?.action === 'disable' || before?.suspended !== undefined
    const updatedAt = property.updated_at ?? undefined
    // An upsert that found the listing already there has not changed its photos.
    const hasSetPhotos = subject.urls !== undefined && (intent.kind === 'photos' || status === 201)
    const failed = new Set(
      photos.flatMap((photo) => (photo.status === 'failed' ? [fingerprint(photo.url)] : [])),
    )
    learnt.set(externalId, {
      ...before,
      content: subject.content,
      updatedAt,
      suspended: isSuspension && property.status === 'disabled' ? updatedAt : undefined,
      deleted: undefined,
      ...(hasSetPhotos
        ? {
            sources: subject.urls?.map(fingerprint) ?? [],
            failed: [...failed],
            photos: photosFingerprint(property),
          }
        : {}),
    })
  }
  return learnt
}

/** Whether a step has had its effect. A listing that is gone needs no deletion. */
export function isDone(kind: string, error: ItemError | null): boolean {
  return error === null || (kind === 'delete' && error.code === 'not_found')
}

/** The step as an item of a batch; null for photos, which no item sets. A creation with many photos fits no batch (`fitsNoBatch`). */
export function itemOf(step: Step): BatchItem | null {
  const { externalId: external_id } = step
  switch (step.kind) {
    case 'create':
      return { ...step.input, external_id, action: 'upsert' }
    case 'update':
      return step.item
    case 'disable':
      return { action: 'disable', external_id, ...(step.reason == null ? {} : { reason: step.reason }) }
    case 'enable':
    case 'delete':
      return { action: step.kind, external_id }
    case 'photos':
      return null
  }
}

export function needOf(step: Step): Need {
  switch (step.kind) {
    case 'create':
      return { writes: 1, newListings: 1, photos: new Set(step.photos).size }
    case 'photos':
      return { ...nothing, writes: 1, photos: step.unknown }
    default:
      return { ...nothing, writes: 1 }
  }
}

/**
 * One request for these steps of one kind.
 * @param content returns the fingerprint of the file's content for a listing whose fields match the file once the step succeeds
 */
export function intentOf(
  steps: readonly Step[],
  content: (externalId: string) => string | undefined,
  refresh: boolean,
  now: number,
): Intent {
  const common = { id: crypto.randomUUID(), key: crypto.randomUUID(), at: new Date(now).toISOString() }
  const subjects = steps.map((step) => ({
    externalId: step.externalId,
    content: step.kind === 'create' || step.kind === 'update' ? step.content : content(step.externalId),
    ...(step.kind === 'create' ? { urls: step.photos } : {}),
    ...(step.kind === 'photos' ? { urls: step.urls } : {}),
  }))
  const [first] = steps
  if (first?.kind === 'photos')
    return { ...common, subjects, kind: 'photos', listing: first.id, urls: first.urls, refresh }
  const items = steps.flatMap((step) => itemOf(step) ?? [])
  if (first?.kind === 'create' && fitsNoBatch(first))
    return { ...common, subjects, kind: 'put', externalId: first.externalId, input: { ...first.input } }
  return { ...common, subjects, kind: 'batch', items }
}

/** Whether a creation needs a request of its own: a single creation takes more photos. */
export function fitsNoBatch(step: StepOf<'create'>): boolean {
  return step.photos.length > batchLimits.photos
}
