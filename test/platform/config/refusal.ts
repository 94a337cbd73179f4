/** Settings for tests, and how the configuration rejects them. */
import assert from 'node:assert/strict'
import { ConfigError } from '../../../src/platform/config/settings-reader.ts'
import { readConfig } from '../../../src/platform/config/config.ts'

export type Env = Record<string, string>

export const production: Env = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://svc:pw@db.example/listings',
  SECRET_KEY: 'sixteen letters!',
}
export const s3: Env = { S3_BUCKET: 'photos', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

/** Reads settings that must be rejected. @returns the line reported */
export function refusal(env: Env): string {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.message
  }
  return assert.fail(`taken: ${JSON.stringify(env)}`)
}
