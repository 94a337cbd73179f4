/**
 * Sizes the embedded PostgreSQL's memory. Pages outside its buffers are copied from the system's cache one by one: a fifth of a list's
 * cost once the listings no longer fit.
 */
import { totalmem } from 'node:os'

const megabyte = 1024 * 1024
/** In megabytes. A small machine needs the rest for the service; above `most`, memory helps the service more than PostgreSQL. */
const buffers = { least: 128, most: 1024 }
const leastCache = 512

/** Bytes that this process and its children may use: the machine's memory, or its control group's limit if lower. */
export function usableMemory(total = totalmem(), constrained = process.constrainedMemory()): number {
  // `constrained` is 0 if unknown, and larger than `total` if there is no limit.
  return constrained > 0 ? Math.min(total, constrained) : total
}

/** An eighth for PostgreSQL's buffers. The planner assumes that half is cache, the system's included. */
export function memorySettings(usableBytes: number): Record<string, string> {
  const megabytes = usableBytes / megabyte
  const own = Math.min(buffers.most, Math.max(buffers.least, Math.floor(megabytes / 8)))
  return {
    shared_buffers: `${own}MB`,
    effective_cache_size: `${Math.max(leastCache, Math.floor(megabytes / 2))}MB`,
  }
}
