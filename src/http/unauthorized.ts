/** Makes the 401 of a request that does not prove a valid key, with the challenge that HTTP requires. */
import type { ErrorCode } from '../platform/error-catalogue.ts'
import { ApiError } from '../platform/errors.ts'

export function unauthorized(code: ErrorCode, message?: string): ApiError {
  return new ApiError(code, {
    headers: { 'www-authenticate': 'Bearer' },
    ...(message !== undefined && { message }),
  })
}
