/** Secrets in files: `NAME_FILE` instead of `NAME`. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readConfig } from '../../../src/platform/config/config.ts'
import { ConfigError, settingsFromFiles } from '../../../src/platform/config/settings-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'config-files-'))
after(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('a setting from a file', () => {
  test('is the content of the file, without the final newline', () => {
    const config = readConfig({
      NODE_ENV: 'production',
      DATABASE_URL_FILE: file('database-url', 'postgres://svc:pw@db.example/listings\n'),
      DATABASE_READ_URL_FILE: file('database-read-url', 'postgres://svc:pw@replica.example/listings\n'),
      SECRET_KEY_FILE: file('secret-key', 'sixteen letters!\n'),
      S3_BUCKET: 'photos',
      S3_ACCESS_KEY_ID_FILE: file('s3-id', 'id\r\n'),
      S3_SECRET_ACCESS_KEY_FILE: file('s3-secret', 'secret'),
      SMTP_URL_FILE: file('smtp', 'smtps://user:pw@mail.example\n'),
      MARKETPLACE_URL: 'https://market.example',
      MARKETPLACE_SECRET_FILE: file('marketplace', 'sixteen letters, or more\n'),
    })
    assert.deepEqual(
      [
        config.databaseUrl,
        config.databaseReadUrl,
        config.secretKey,
        config.s3?.accessKeyId,
        config.s3?.secretAccessKey,
        config.smtpUrl,
        config.marketplaceSecret,
      ],
      [
        'postgres://svc:pw@db.example/listings',
        'postgres://svc:pw@replica.example/listings',
        'sixteen letters!',
        'id',
        'secret',
        'smtps://user:pw@mail.example',
        'sixteen letters, or more',
      ],
    )
  })

  test('leaves other settings unchanged', () => {
    assert.equal(
      readConfig({ SECRET_KEY_FILE: '', SECRET_KEY: 'sixteen letters!' }).secretKey,
      'sixteen letters!',
    )
    assert.equal(readConfig({ PORT_FILE: '/nowhere' }).port, 3000)
  })

  for (const name of settingsFromFiles) {
    test(`named ${name}_FILE is refused when it cannot be used, without repeating its content`, () => {
      const held = file('held', 'hunter2')
      const refusals: [Record<string, string>, RegExp][] = [
        [{ [`${name}_FILE`]: join(folder, 'missing') }, /names a file that cannot be read/],
        [{ [`${name}_FILE`]: folder }, /names a file that cannot be read/],
        [{ [`${name}_FILE`]: file('blank', ' \n') }, /names an empty file/],
        [{ [`${name}_FILE`]: held, [name]: 'hunter2' }, /both set/],
      ]
      for (const [env, line] of refusals) {
        assert.throws(
          () => readConfig(env),
          (error) =>
            error instanceof ConfigError &&
            line.test(error.message) &&
            error.message.startsWith(name) &&
            !error.message.includes('hunter2'),
        )
      }
    })
  }
})
