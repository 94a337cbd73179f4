/**
 * The fields that a listing lacks to be published (api.md 11.2). The API answers it as `missing`, publishing refuses by it, and the dashboard shows it.
 */
import { sizeLimits } from '../../limits/table.ts'
import { neededNames } from '../field-lists.ts'
import type { Content } from '../listing.ts'

const priceColumns = ['price_amount', 'price_on_request', 'price_period'] as const
/** The columns that decide whether a listing may be published, photos apart. */
export const publishableColumns = [...neededNames, ...priceColumns] as const
export type Publishable = Pick<Content, (typeof publishableColumns)[number]> & Partial<Content>

export const minPhotos = sizeLimits.photos_to_publish

/** The fields that the listing lacks to be published, by their API names; empty if it lacks none. */
export function missingToPublish(content: Publishable, photoCount: number): string[] {
  const missing: string[] = neededNames.filter((name) => content[name] === null)
  if (content.price_amount === null && !content.price_on_request) missing.push('price')
  if (content.operation === 'temporary' && content.price_period === null) missing.push('price.period')
  if (photoCount < minPhotos) missing.push('photos')
  return missing
}
