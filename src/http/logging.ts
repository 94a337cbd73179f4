/** Structured logs: one line per request with its id, key id and agency. No headers, queries or bodies are logged, so no secrets. */
import type { LoggerOptions } from 'pino'
import type { Config } from '../platform/config/config.ts'
import { pathOf } from '../platform/web/request-target.ts'

export function logOptions(config: Config): LoggerOptions {
  return {
    level: config.logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: {
      req: (request) => ({ method: request.method, path: pathOf(String(request.url)) }),
    },
  }
}
