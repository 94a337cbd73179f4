/**
 * Structured logs: one line a request with its id, key id and agency, and never a secret: neither headers nor queries nor
 * bodies are logged.
 */
import type { LoggerOptions } from 'pino'
import type { Config } from '../config/config.ts'

export function logOptions(config: Config): LoggerOptions {
  return {
    level: config.logLevel,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: {
      req: (request) => ({ method: request.method, path: String(request.url).split('?', 1)[0] }),
    },
  }
}
