/** OTEL_TRACES_SAMPLER: which requests each sampler records, with and without a decision of the caller. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace'
import { samplerOf } from '../../../src/operations/tracing/sampler.ts'
import { type Config, readConfig } from '../../../src/platform/config/config.ts'

const count = 2_000
const ids = Array.from({ length: count }, () => randomBytes(16).toString('hex'))

/** The share of requests recorded. @param traceFlags the caller's decision: 1 to record, 0 not to; null if there is no caller */
function recorded(settings: Pick<Config, 'traceSampler' | 'traceRatio'>, traceFlags: 0 | 1 | null): number {
  const sampler = samplerOf(settings)
  const kept = ids.filter((traceId) => {
    const caller = { traceId, spanId: '00f067aa0ba902b7', traceFlags: traceFlags ?? 0, isRemote: true }
    const parent = traceFlags === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, caller)
    const { decision } = sampler.shouldSample(parent, traceId, 'GET', SpanKind.SERVER, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  })
  return kept.length / count
}

for (const [traceSampler, alone, below1, below0] of [
  ['always_on', 1, 1, 1],
  ['always_off', 0, 0, 0],
  ['traceidratio', 0.25, 0.25, 0.25],
  ['parentbased_always_on', 1, 1, 0],
  ['parentbased_always_off', 0, 1, 0],
  ['parentbased_traceidratio', 0.25, 1, 0],
] as const)
  test(`${traceSampler} records ${alone} of the requests, and ${below1} or ${below0} by the caller's decision`, () => {
    const settings = { traceSampler, traceRatio: 0.25 }
    const shares = [recorded(settings, null), recorded(settings, 1), recorded(settings, 0)]
    // 0.25 by chance: more than ten standard deviations.
    for (const [index, share] of [alone, below1, below0].entries())
      assert.ok(Math.abs((shares[index] ?? -1) - share) <= (share === 0.25 ? 0.1 : 0), String(shares))
  })

test('the settings have the names of the specification of OpenTelemetry', () => {
  const { traceSampler, traceRatio } = readConfig({
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
  })
  assert.deepEqual([traceSampler, traceRatio], ['parentbased_traceidratio', 0.05])
  const unset = readConfig({})
  assert.deepEqual([unset.traceSampler, unset.traceRatio], ['parentbased_always_on', 1])
})
