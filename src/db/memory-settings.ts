/**
 * How much memory the embedded PostgreSQL takes. What is not in its own buffers it reads from the system's, page by page, which
 * is a fifth of what a list costs once the listings do not fit.
 */
import { totalmem } from 'node:os'

const megabyte = 1024 * 1024
/** In megabytes. A small machine needs the rest for the service; above the most, PostgreSQL gains less than the service would. */
const buffers = { least: 128, most: 1024 }
const leastCache = 512

/** Bytes that this process and its children may use: those of the machine, or of its control group. */
export function usableMemory(total = totalmem(), constrained = process.constrainedMemory()): number {
  // 0 where it cannot be known; more than there is where nothing is constrained.
  return constrained > 0 ? Math.min(total, constrained) : total
}

/** An eighth for the buffers; half is what the planner may reckon with, the system's own cache included. */
export function memorySettings(usableBytes: number): Record<string, string> {
  const megabytes = usableBytes / megabyte
  const own = Math.min(buffers.most, Math.max(buffers.least, Math.floor(megabytes / 8)))
  return {
    shared_buffers: `${own}MB`,
    effective_cache_size: `${Math.max(leastCache, Math.floor(megabytes / 2))}MB`,
  }
}
