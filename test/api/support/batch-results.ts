/** Checks the results of a batch, and shortens them. */
import assert from 'node:assert/strict'
import type { ApiResponse } from '../../support/app/app.ts'

export type Item = { external_id: string; action?: string } & Record<string, unknown>
export type Result = {
  index: number
  external_id: string | null
  action: string | null
  status: number
  data?: Record<string, unknown>
  error?: Record<string, unknown>
  warnings: { code: string; parameter?: string }[]
}

/** The results of a batch that ran, with their shape checked. */
export function resultsOf(response: ApiResponse): Result[] {
  assert.equal(response.status, 200, response.text)
  const { results, meta } = response.body as unknown as { results: Result[]; meta: Record<string, number> }
  const failed = results.filter(({ status }) => status >= 400).length
  assert.deepEqual(meta, { total: results.length, succeeded: results.length - failed, failed })
  assert.deepEqual(
    results.map(({ index }) => index),
    results.map((_, index) => index),
  )
  for (const { status, data, error, warnings } of results) {
    assert.equal(data !== undefined, status < 400)
    assert.equal(error !== undefined, status >= 400)
    assert.ok(Array.isArray(warnings))
    if (error === undefined) continue
    assert.equal(typeof error['code'], 'string')
    assert.ok(String(error['message']).length > 10)
    assert.equal(error['request_id'], undefined)
  }
  return results
}

/** `201`, or `409 external_id_exists items[1].external_id`. */
export const summaryOf = ({ status, error }: Result) =>
  [status, error?.['code'], error?.['parameter']].filter((part) => part !== undefined).join(' ')
