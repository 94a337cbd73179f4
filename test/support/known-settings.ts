/** The names of all settings, found by reading them. */
import { readConfig } from '../../src/platform/config/config.ts'

/** Every environment variable that the service reads. */
export function knownSettings(): Set<string> {
  const asked = new Set<string>()
  const full: Record<string, string> = {
    NODE_ENV: 'production',
    DATABASE_URL: 'postgres://svc:pw@db.example/listings',
    SECRET_KEY: 'sixteen letters!',
    S3_BUCKET: 'photos',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'secret',
  }
  readConfig(
    new Proxy(full, {
      get: (env, name) => {
        asked.add(String(name))
        return env[String(name)]
      },
    }),
  )
  return asked
}
