/** An invalid value of any setting stops the start with one line that names it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { type Config, readConfig } from '../../../src/platform/config/config.ts'
import { defaultLimits } from '../../../src/limits/table.ts'
import { type Env, production, refusal, s3 } from './refusal.ts'

/** Invalid values of each setting, along with other settings that are needed for it to be read. */
const wrong: Record<string, { values: readonly string[]; beside?: Env }> = {
  PORT: { values: ['x', '-1', '65536', '3000.5', '0x10', '1e3', '٣'] },
  PUBLIC_BASE_URL: {
    values: [
      'listings.example',
      'ftp://listings.example',
      '//listings.example',
      'https://',
      'https://a.example/?x=1',
      'https://a.example/#x',
      'https://user@a.example',
      'https://:pw@a.example',
      'https://a.example/?',
      'https://a.example/#',
      'https:a.example',
      'two\nlines',
    ],
  },
  HSTS: { values: ['true', 'max-age=1'] },
  DATABASE_URL: { values: ['localhost', 'mysql://localhost/x', 'https://db.example'] },
  DATABASE_READ_URL: {
    values: ['localhost', 'mysql://localhost/x', 'https://db.example', 'postgres://replica.example/x'],
  },
  DATABASE_POOL_SIZE: { values: ['0', '1001', 'ten'] },
  PREPARED_STATEMENTS: { values: ['yes', 'true', 'ON'] },
  EMBEDDED_DATABASE: { values: ['yes', 'no'] },
  SECRET_KEY: { values: ['short', 'fifteen letters'] },
  SECRET_KEY_PREVIOUS: { values: ['short', 'fifteen letters'] },
  SERVICE_NAME: { values: ['1x', 'a b', 'x-y', 'ñandú', 'x'.repeat(33), 'a\r\nb'] },
  DEMO: { values: ['true', 'yes'] },
  PHOTO_SOURCE_ALLOW: { values: ['localhost', 'a:1,b', 'a:0', 'a:65536', 'http://a:80', 'a b:80', ','] },
  S3_ENDPOINT: { values: ['minio', 'ftp://minio', 's3://bucket'], beside: s3 },
  S3_PATH_STYLE: { values: ['yes'], beside: s3 },
  BACKUP_TO: {
    values: ['http://backup.example', 's3://', 's3://A', 's3://no_underscores', 'file:///backup'],
  },
  BACKUP_SCHEDULE: {
    values: ['daily', '3:30', '61 * * * *', '* * * *', '* * * * * *', '0 0 30 2 *'],
    beside: { BACKUP_TO: '/backup' },
  },
  BACKUP_KEEP: { values: ['0', '1001', 'all'] },
  LIMITS: {
    values: [
      'x',
      '[]',
      '3',
      'null',
      '{"reads":1}',
      '{"reads_per_minute":-1}',
      '{"reads_per_minute":1.5}',
      '{"reads_per_minute":"9"}',
      '{"toString":1}',
      '{"reads_per_minute":1e10}',
      '{\n"reads_per_minute": x\n}',
    ],
  },
  TRUST_PROXY: {
    values: [
      'yes',
      'proxy.example',
      '10.0.0.1,',
      '999.0.0.1',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '::/0',
      '10.0.0.0/',
      '::/129',
      '10.0.0.0/8/8',
      '100',
    ],
  },
  SECURITY_CONTACT: {
    values: [
      'security@agency.example',
      'mailto:nobody',
      'mailto:a@b.example?subject=x',
      'http://a.example',
      'https://',
      'javascript:alert(1)',
      'https://a.example/"x',
      'tel:+5411',
    ],
  },
  LOG_LEVEL: { values: ['loud', 'INFO'] },
  CRAWLERS_ALLOW: {
    values: ['a', 'ab', ',', 'OurBot,', '*', 'Our*', '^Our', 'Ñandú', 'x'.repeat(201), 'a\nb'],
  },
  CRAWLERS_DENY: { values: ['a', 'ab', ',', 'Nasty,,Bad', '*bot*', 'bad$', String.raw`bad\d`, '日本bot'] },
  SMTP_URL: {
    values: ['mail.example', 'https://mail.example', 'smtp://', 'smtp://:25', 'smtp://x:99999'],
    beside: { MAIL_FROM: 'a@example.com' },
  },
  MAIL_FROM: { values: ['nobody', 'a@b@c', 'Name <nobody>', 'a@example.com\r\nBcc: b@example.com'] },
  MARKETPLACE_URL: {
    values: [
      'market.example',
      'ftp://market.example',
      'https://',
      'https://user:hunter2@market.example/',
      'https://market.example/#events',
    ],
    beside: { MARKETPLACE_SECRET: 'sixteen letters!' },
  },
  MARKETPLACE_SECRET: {
    values: ['short', 'fifteen letters', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_not base64, though long enough'],
  },
  WORKERS: { values: ['0', '-1', '257', 'two', '1.5', 'auto'] },
  METRICS_PORT: { values: ['x', '0', '-1', '65536', '3000'] },
  ANSWER_CACHE_MB: { values: ['-1', '4097', '1.5', 'off'] },
  OTEL_EXPORTER_OTLP_ENDPOINT: { values: ['collector', 'grpc://collector.example:4317'] },
  OTEL_TRACES_SAMPLER: { values: ['on', 'ALWAYS_ON', 'jaeger_remote', 'xray'] },
  OTEL_TRACES_SAMPLER_ARG: { values: ['-0.1', '1.01', '2', '5%', '0,5', '.', 'half', 'endpoint=http://a'] },
  WORKER: { values: ['on', 'alone', '1'] },
  NOTIFICATIONS_KEPT_DAYS: { values: ['0', '-1', '36501', '1.5', 'never', 'off'] },
  OPERATOR_SECOND_FACTOR: { values: ['on', 'true', 'yes'] },
  OPERATOR_PASSKEY: { values: ['on', 'true', 'yes'] },
  MAP_TILES_URL: {
    values: [
      'tiles.example/{z}/{x}/{y}.png',
      'ftp://tiles.example/{z}/{x}/{y}.png',
      'https://tiles.example/{z}/{x}.png',
      'https://tiles.example/{z}/{x}/{y}/{y}.png',
      'https://tiles.example/{z}/{x}/{y}/{-y}.png',
      'https://{s}.tiles.example/{z}/{x}/{y}.png',
      'https://tiles.example/{z}/{x}/{y}{r}.png',
      'https://{z}.example/{x}/{y}.png',
      'https://user:hunter2@tiles.example/{z}/{x}/{y}.png',
      'https://tiles.example/{z}/{x}/{y}.png#there',
    ],
    beside: { MAP_TILES_ATTRIBUTION: 'Somebody' },
  },
  MAP_TILES_ATTRIBUTION: {
    values: ['<b>Somebody</b>', '[a](javascript:alert(1))', '[a](https://)', 'x'.repeat(301), 'a\nb'],
    beside: { MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png?key=hunter2' },
  },
  MAP_TILES_MAX_ZOOM: { values: ['9', '23', 'close', '-1'] },
  GEOCODER: { values: ['google', 'GEOREF'] },
  GEOCODER_URL: { values: ['georef', 'ftp://geo.example'] },
}

/** Settings that accept any text, and those whose absence is reported by another's test. */
const free = [
  'NODE_ENV',
  'HOST',
  'DATA_DIR',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
]

describe('an invalid value', () => {
  for (const [name, { values, beside }] of Object.entries(wrong)) {
    test(`of ${name} is reported in one line that names it`, () => {
      for (const value of values) {
        const line = refusal({ ...beside, [name]: value })
        assert.match(line, new RegExp(`^${name} `), value)
        assert.doesNotMatch(line, /[\r\n]/)
        assert.ok(line.length > 20)
      }
    })
  }

  test('is tested for every setting', () => {
    const source = ['config', 'values']
      .map((name) =>
        readFileSync(new URL(`../../../src/platform/config/${name}.ts`, import.meta.url), 'utf8'),
      )
      .join('')
    const names = new Set([...source.matchAll(/\('([A-Z][A-Z0-9_]+)'/g)].map(([, name]) => name ?? ''))
    assert.deepEqual(
      [...names].filter((name) => !(name in wrong) && !free.includes(name)),
      [],
    )
  })

  test('that may contain a secret is not repeated', () => {
    for (const [name, value] of [
      ['DATABASE_URL', 'mysql://svc:hunter2@db'],
      ['DATABASE_READ_URL', 'mysql://svc:hunter2@replica'],
      ['SECRET_KEY', 'hunter2'],
      ['SECRET_KEY_PREVIOUS', 'hunter2'],
      ['S3_ENDPOINT', 'x://u:hunter2@s3'],
      ['SMTP_URL', 'http://u:hunter2@mail'],
      ['MARKETPLACE_URL', 'https://u:hunter2@market.example'],
      ['MARKETPLACE_SECRET', 'hunter2'],
      ['MAP_TILES_URL', 'https://tiles.example/{z}/{x}.png?key=hunter2'],
    ] as const) {
      assert.ok(!refusal({ ...s3, [name]: value }).includes('hunter2'), name)
    }
  })
})

test('common placeholders in tile URLs are reported by name', () => {
  const refused = (url: string) => refusal({ MAP_TILES_URL: url, MAP_TILES_ATTRIBUTION: 'Somebody' })
  assert.match(refused('https://{s}.tiles.example/{z}/{x}/{y}.png'), /one server: replace \{s\}/)
  assert.match(refused('https://tiles.example/{z}/{x}/{y}{r}.png'), /no \{r\}/)
})

describe('without any setting', () => {
  const config = readConfig({})
  test('the service runs immediately, for a developer', () => {
    const expected: Partial<Config> = {
      production: false,
      host: '127.0.0.1',
      port: 3000,
      publicBaseUrl: 'http://127.0.0.1:3000',
      basePath: '',
      serviceName: 'Svc',
      databaseUrl: null,
      secretKey: null,
      demo: true,
      demoFills: true,
      dataDir: resolve('data'),
      photoSourceAllow: [],
      s3: null,
      trustProxy: false,
      securityContact: null,
      preparedStatements: true,
    }
    for (const [name, value] of Object.entries(expected))
      assert.deepEqual(config[name as keyof Config], value, name)
    assert.deepEqual(config.limits, defaultLimits)
  })

  test('the configuration is frozen', () => {
    assert.ok(Object.isFrozen(config))
  })

  test('an empty or blank value counts as unset', () => {
    const blank = Object.fromEntries(
      [...Object.keys(wrong), ...free].map((name, index) => [name, index % 2 === 0 ? '' : '  ']),
    )
    assert.deepEqual(readConfig(blank), config)
  })
})

test('map tiles have an attributed source, linked where required', () => {
  assert.equal(readConfig({}).mapTiles, null)
  const { mapTiles } = readConfig({
    MAP_TILES_URL: 'https://tiles.example/{z}/{y}/{x}.png?key=k',
    MAP_TILES_ATTRIBUTION:
      '© [OpenStreetMap contributors](https://www.openstreetmap.org/copyright), [Tiles] & Co',
  })
  assert.deepEqual(mapTiles, {
    url: 'https://tiles.example/{z}/{y}/{x}.png?key=k',
    attribution: [
      { text: '© ', url: null },
      { text: 'OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
      { text: ', [Tiles] & Co', url: null },
    ],
    maxZoom: 19,
  })
})

describe('in production', () => {
  test('requires a database and a secret', () => {
    assert.equal(readConfig(production).production, true)
    assert.match(refusal({ ...production, DATABASE_URL: '' }), /^DATABASE_URL is missing/)
    assert.match(refusal({ ...production, SECRET_KEY: '' }), /^SECRET_KEY is missing/)
    const same = { ...production, SECRET_KEY_PREVIOUS: production['SECRET_KEY'] ?? '' }
    assert.match(refusal(same), /^SECRET_KEY_PREVIOUS is the same as SECRET_KEY/)
  })

  test('allows the embedded database only on request', () => {
    const { databaseUrl } = readConfig({ ...production, DATABASE_URL: '', EMBEDDED_DATABASE: 'allow' })
    assert.equal(databaseUrl, null)
    assert.match(refusal({ EMBEDDED_DATABASE: 'refuse' }), /^DATABASE_URL is missing/)
  })

  test('has no demonstration, and no private source of photos', () => {
    const { demo, demoFills } = readConfig({ ...production, DEMO: 'auto' })
    assert.deepEqual([demo, demoFills], [false, false])
    assert.match(
      refusal({ ...production, PHOTO_SOURCE_ALLOW: 'localhost:8080' }),
      /^PHOTO_SOURCE_ALLOW must not be set in production/,
    )
  })
})
