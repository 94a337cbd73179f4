/**
 * What a listing lacks to be published (api.md 11.2). The API answers it as `missing`, publishing refuses by it, and the dashboard shows it.
 */
import { sizeLimits } from '../../limits/table.ts'
import type { Content } from '../listing.ts'

/** What publishing wants, photos apart. */
export type Publishable = Pick<
  Content,
  'title' | 'type' | 'operation' | 'address' | 'price_amount' | 'price_on_request' | 'price_period'
> &
  Partial<Content>

export const minPhotos = sizeLimits.photos_to_publish

/** The fields that the listing lacks to be published, by their API names; empty if it lacks none. */
export function missingToPublish(content: Publishable, photoCount: number): string[] {
  const missing: string[] = []
  for (const name of ['title', 'type', 'operation', 'address'] as const)
    if (content[name] === null) missing.push(name)
  if (content.price_amount === null && !content.price_on_request) missing.push('price')
  if (content.operation === 'temporary' && content.price_period === null) missing.push('price.period')
  if (photoCount < minPhotos) missing.push('photos')
  return missing
}
