/**
 * Cuts operations into batches that the service takes.
 */
import { bytesOf } from './sign.ts'
import type { BatchResult } from './replies.ts'
import type { BatchItem } from './types.ts'

export type BatchLimits = { items: number; photos: number; bytes: number }

/** The limits of one batch; see `me()` for the values in force. */
export const batchLimits: BatchLimits = { items: 50, photos: 30, bytes: 1_048_576 }

const envelopeBytes = bytesOf('{"items":[]}').length

/**
 * Cuts the items into batches, as few as their order allows.
 * @throws RangeError naming the first item that fits no batch: send it with `put`, which takes 50 photos
 */
export function cutIntoBatches<Item extends BatchItem>(
  items: readonly Item[],
  limits: Readonly<BatchLimits> = batchLimits,
): Item[][] {
  const batches: Item[][] = []
  let batch: Item[] = []
  let photos = 0
  let bytes = envelopeBytes
  for (const [index, item] of items.entries()) {
    const itemPhotos = photosIn(item)
    const itemBytes = bytesOf(JSON.stringify(item)).length + 1
    if (itemPhotos > limits.photos)
      throw new RangeError(`items[${index}] has ${itemPhotos} photos; a batch takes ${limits.photos}`)
    if (envelopeBytes + itemBytes > limits.bytes)
      throw new RangeError(`items[${index}] has ${itemBytes} bytes; a batch takes ${limits.bytes}`)
    const isFull =
      batch.length >= limits.items || photos + itemPhotos > limits.photos || bytes + itemBytes > limits.bytes
    if (isFull) {
      batches.push(batch)
      batch = []
      photos = 0
      bytes = envelopeBytes
    }
    batch.push(item)
    photos += itemPhotos
    bytes += itemBytes
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

/**
 * Renumbers a result, including the paths and texts of its error.
 * @param numberOf returns the new number of the item with that index in its batch
 */
export function renumbered(result: BatchResult, numberOf: (index: number) => number): BatchResult {
  const inside = <Value>(value: Value): Value => {
    if (typeof value === 'string')
      return value.replaceAll(/\bitems\[(\d+)\]/g, (_, index) => `items[${numberOf(Number(index))}]`) as Value
    if (Array.isArray(value)) return value.map(inside) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inside(inner)])) as Value
  }
  const index = numberOf(result.index)
  return result.error === undefined
    ? { ...result, index }
    : ({ ...result, index, error: inside(result.error) } as BatchResult)
}

/** How many photos the item counts for in a batch. Photos of an `update` are the listing's own, and are not downloaded. */
export function photosIn(item: BatchItem): number {
  if (item.action === 'update' || !('photos' in item)) return 0
  return item.photos?.length ?? 0
}
