/**
 * The client of the property listing API.
 */
export { ListingsClient } from './client.ts'
export type { ListingsClientOptions } from './options.ts'
export { apiErrorCodes } from './error-codes.ts'
export {
  type ErrorCode,
  type FieldError,
  type ItemError,
  ListingsError,
  type ListingsErrorOf,
} from './errors.ts'
export { type BatchLimits, batchLimits, cutIntoBatches } from './batches.ts'
export type { ChangesFeed } from './iterate.ts'
export type * from './replies.ts'
export type { RetryOptions } from './retry.ts'
export type { ResponseInfo, Retry } from './send.ts'
export type * from './types.ts'
