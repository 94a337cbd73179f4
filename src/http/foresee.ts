/**
 * Completes a 400 with what the rest of the request has wrong, so that one answer names all of it (api.md 5.1). Runs only when the
 * request is refused anyway.
 */
import type { Problems } from '../errors.ts'
import type { Endpoint, Sent } from './endpoint.ts'
import { checkIdempotencyKey } from './idempotency.ts'

/** Adds what the operation would refuse in other fields, and a bad Idempotency-Key. */
export async function foresee(endpoint: Endpoint, sent: Sent, problems: Problems): Promise<void> {
  await endpoint.foresee?.(sent, problems)
  // A dry run needs no key and looks at none.
  const { dry_run: dryRun = 'false' } = sent.query as { dry_run?: unknown }
  if ('idempotency' in endpoint && dryRun === 'false') {
    const header = sent.request.headers['idempotency-key'] as string | undefined
    checkIdempotencyKey(header, endpoint.idempotency, problems)
  }
}
