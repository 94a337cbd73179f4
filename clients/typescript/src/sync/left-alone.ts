/**
 * Listings that are available according to the file, but that somebody suspended, closed or deleted outside this command. They are left
 * alone.
 *
 * The API does not say who suspended a listing. So the journal records each suspension that the file requested or agreed with, and each
 * deletion by the command. Anything not recorded was done elsewhere; without a journal, that is everything.
 */
import type { Property } from '../types.ts'
import type { Known } from './journal.ts'
import type { Wanted } from './listing.ts'
import type { Plan } from './plan.ts'

export type LeftAlone = { externalId: string; title: string; why: 'suspended' | 'deleted' }

/** The agency's listings by external id, and the external ids of deleted ones. */
export type Present = { listings: ReadonlyMap<string, Property>; deleted: ReadonlySet<string> }

/** For the report. */
export const leftAloneErrors = {
  suspended: {
    code: 'suspended_elsewhere',
    message:
      'It was suspended or closed, and not by this command. It stays as it is; --republish publishes it again.',
  },
  deleted: {
    code: 'deleted_elsewhere',
    message: 'It was deleted, and not by this command. It stays deleted; --republish creates it again.',
  },
} as const

/** Why a listing of the file is left alone, or null. */
export function whyLeftAlone(
  wanted: Wanted,
  { listings, deleted }: Present,
  known: Known | undefined,
): LeftAlone['why'] | null {
  const { externalId, status } = wanted
  const property = listings.get(externalId)
  if (property === undefined) return deleted.has(externalId) && known?.deleted !== true ? 'deleted' : null
  if (status !== 'published' || property.status !== 'disabled') return null
  return agreedSuspension(wanted, property, known) === undefined ? 'suspended' : null
}

/**
 * The listing's `updated_at` if it is suspended and the file requested that or agrees; otherwise undefined. Closing data recorded later
 * moves `updated_at`: a suspension that somebody turned into a sale is no longer the one in the journal.
 */
export function agreedSuspension(
  { status }: Wanted,
  property: Property,
  known: Known | undefined,
): string | undefined {
  if (property.status !== 'disabled' || property.updated_at === null) return undefined
  const isAgreed = status === 'disabled' || status === 'draft' || known?.suspended === property.updated_at
  return isAgreed ? property.updated_at : undefined
}

/** The journal's record of the listings as the plan found them. */
export function seenIn(plan: Plan, known: ReadonlyMap<string, Known>): Map<string, Known> {
  const unchanged = new Set(plan.unchanged)
  return new Map(
    [...plan.present].flatMap(([externalId, property]): [string, Known][] => {
      const before = known.get(externalId) ?? {}
      const content = plan.contents.get(externalId)
      const updatedAt = property.updated_at ?? undefined
      const seen: Known = {
        ...before,
        // Listings that are as they should be need not be compared field by field next time.
        ...(unchanged.has(externalId) ? { content, updatedAt } : {}),
        ...(content === undefined ? {} : { suspended: plan.suspensions.get(externalId) }),
        deleted: undefined,
      }
      const names = ['content', 'updatedAt', 'suspended', 'deleted'] as const
      return names.every((name) => seen[name] === before[name]) ? [] : [[externalId, seen]]
    }),
  )
}
