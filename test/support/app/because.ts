/** Matches rejections with an `ApiError` of this reason, for `assert.rejects`. */
import { ApiError } from '../../../src/platform/errors/errors.ts'

export const because = (reason: string) => (error: unknown) =>
  error instanceof ApiError && error.reason === reason
