/**
 * What a demonstration listing says, and short ways to write one down.
 */
import type { Payload } from '../properties/schema.ts'
import type { Closing } from '../properties/states.ts'
import type { PictureScene, SceneKind } from './pictures.ts'

export type DemoListing = {
  /** As a client would send it; pictures and state are below. */
  payload: Omit<Payload, 'photos' | 'status' | 'force_duplicate'>
  /** `removed` ones were drafts that somebody deleted. */
  status: 'draft' | 'published' | 'disabled' | 'removed'
  reserved?: boolean
  /** Why it is suspended, when it is. */
  disable?: Closing
  /** In order, the cover first. */
  pictures: readonly PictureScene[]
  /** Whole days since it was published, or created while it is a draft. */
  published_days_ago: number
}

export const caba = {
  city: 'Ciudad Autónoma de Buenos Aires',
  province: 'Ciudad Autónoma de Buenos Aires',
} as const

/** Paragraphs as one text with an empty line between them. */
export function text(...paragraphs: readonly string[]): string {
  return paragraphs.join('\n\n')
}

/** The scenes in the order given: a kind with its seed, or seeds. */
export function show(seeds: Partial<Record<SceneKind, number | readonly number[]>>): PictureScene[] {
  return Object.entries(seeds).flatMap(([kind, list]) =>
    [list].flat().map((seed) => ({ kind: kind as SceneKind, seed })),
  )
}
