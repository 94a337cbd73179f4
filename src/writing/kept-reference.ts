/**
 * Keeps the answer of a request with an Idempotency-Key as part of the statement that has its effect. Such an answer is a reference: it
 * shows a listing at the revision that the statement makes.
 */

/** How long an answer is kept. */
export const retentionHours = 24

/** What is kept of an answer that shows a listing. */
export type ReferenceToKeep = {
  key: string
  /** SHA-256 of the request. */
  hash: Buffer
  /** Identifies the claim of the request. */
  token: string
  status: number
  /** What the answer shows and the listing does not hold, as JSON. */
  rest: string
}

/** The reference as parameters, in the order of `keepingReference`. */
export const referenceValues = ({ key, hash, token, status, rest }: ReferenceToKeep) =>
  [key, hash, token, status, rest] as const

export const referenceLength = 5

/**
 * SQL that keeps a reference. Parameters: $1 the agency, and those of `referenceValues` from `first` on.
 * @param isClaimed whether the request has claimed the key before
 * @returns `isFree`: a condition, where `now` is the present; `keep`: a statement, for the row `(revision, now)` of `source`
 */
export function keepingReference(first: number, isClaimed: boolean) {
  const [key, hash, token, status, rest] = Array.from({ length: referenceLength }, (_, i) => `$${first + i}`)
  const isOurs = `agency_id = $1 and key = ${key} and token = ${token}`
  return {
    // A claim that is about to end may be lost while the statement waits.
    isFree: isClaimed
      ? `exists (select from idempotency_keys where ${isOurs} and status is null and lease_until > now + interval '10 seconds')`
      : `not exists (select from idempotency_keys where agency_id = $1 and key = ${key})`,
    keep: (source: string, propertyId: string) =>
      isClaimed
        ? `update idempotency_keys set request_hash = ${hash}, status = ${status}, property_id = ${propertyId}, revision = ${source}.revision,
          rest = ${rest} from ${source} where ${isOurs}`
        : `insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at, status, property_id, revision, rest)
          select $1, ${key}, ${hash}, ${token}, now, now + interval '${retentionHours} hours', ${status}, ${propertyId}, revision, ${rest}
          from ${source}`,
  }
}
