/** The sampler that OTEL_TRACES_SAMPLER names: the SDK does not read this setting. */
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../../platform/config/config.ts'

export function samplerOf({
  traceSampler,
  traceRatio,
}: Pick<Config, 'traceSampler' | 'traceRatio'>): Sampler {
  switch (traceSampler) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(traceRatio)
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(traceRatio) })
  }
}
