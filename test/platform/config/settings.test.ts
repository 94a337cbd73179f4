/** The meaning and default of each setting. */
import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { isAbsolute } from 'node:path'
import { describe, test } from 'node:test'
import { readConfig } from '../../../src/platform/config/config.ts'
import { defaultLimits } from '../../../src/limits/table.ts'
import { type Env, production, refusal, s3 } from './refusal.ts'

describe('each setting', () => {
  test('DEMO fills an external or production database only when it is on', () => {
    const external = { DATABASE_URL: 'postgres://db.example/x' }
    const fills = (env: Env) => readConfig(env).demoFills
    assert.equal(fills({}), true)
    for (const env of [external, { ...external, DEMO: 'auto' }, { DEMO: 'off' }, production])
      assert.equal(fills(env), false, JSON.stringify(env))
    for (const env of [external, {}, production]) assert.equal(fills({ ...env, DEMO: 'on' }), true)
    assert.equal(readConfig(external).demo, true)
  })

  test('PUBLIC_BASE_URL defaults to HOST and PORT, and loses its trailing slash', () => {
    const base = (env: Env) => readConfig(env).publicBaseUrl
    assert.equal(base({ HOST: '0.0.0.0', PORT: '8080' }), 'http://localhost:8080')
    assert.equal(base({ HOST: '::', PORT: '80' }), 'http://localhost:80')
    assert.equal(base({ HOST: '::1' }), 'http://[::1]:3000')
    assert.equal(base({ PUBLIC_BASE_URL: 'https://listings.example/' }), 'https://listings.example')
    const withPath = readConfig({ PUBLIC_BASE_URL: 'https://example.com/listings//' })
    assert.equal(withPath.publicBaseUrl, 'https://example.com/listings')
    assert.equal(withPath.basePath, '/listings')
  })

  test('PUBLIC_BASE_URL is encoded for use in headers', () => {
    const base = (value: string) => readConfig({ PUBLIC_BASE_URL: value }).publicBaseUrl
    assert.equal(base('HTTPS://Listings.Example:443'), 'https://listings.example')
    assert.equal(
      base('https://ñandú.example/propiedades en línea'),
      'https://xn--and-6ma2c.example/propiedades%20en%20l%C3%ADnea',
    )
    assert.equal(base('http://[::1]:8080/'), 'http://[::1]:8080')
  })

  test('passkeys belong to the host of PUBLIC_BASE_URL, and need one where browsers offer them', () => {
    const party = (base: string) => readConfig({ PUBLIC_BASE_URL: base }).relyingParty
    assert.deepEqual(party('https://example.com:8443/listings'), {
      id: 'example.com',
      origin: 'https://example.com:8443',
      name: 'Svc',
    })
    assert.equal(party('http://localhost:3000')?.id, 'localhost')
    for (const base of [
      'http://example.com',
      'http://127.0.0.1:3000',
      'https://192.0.2.1',
      'https://[::1]',
    ]) {
      assert.equal(party(base), null, base)
      assert.match(
        refusal({ PUBLIC_BASE_URL: base, OPERATOR_PASSKEY: 'required' }),
        /^OPERATOR_PASSKEY is "required": browsers/,
      )
    }
    const required = { PUBLIC_BASE_URL: 'https://example.com', OPERATOR_PASSKEY: 'required' }
    assert.equal(readConfig(required).operatorPasskey, 'required')
    assert.equal(readConfig({}).operatorPasskey, 'optional')
  })

  test('DATA_DIR becomes absolute', () => {
    assert.ok(isAbsolute(readConfig({ DATA_DIR: 'elsewhere' }).dataDir))
  })

  test('LIMITS is merged over the defaults', () => {
    const { limits } = readConfig({ LIMITS: '{"reads_per_minute":600,"photos_per_day":0}' })
    assert.deepEqual(limits, {
      ...defaultLimits,
      reads_per_minute: { max: 600, windowSeconds: 60 },
      photos_per_day: { max: 0, windowSeconds: 86_400 },
    })
  })

  test('TRUST_PROXY is a switch, a number of hops, or addresses', () => {
    const trust = (value: string) => readConfig({ TRUST_PROXY: value }).trustProxy
    assert.deepEqual(['true', 'false', '1', '0'].map(trust), [true, false, 1, 0])
    assert.deepEqual(trust('10.0.0.0/8, ::1,loopback'), ['10.0.0.0/8', '::1', 'loopback'])
  })

  test('PHOTO_SOURCE_ALLOW is a list of host:port, in lower case', () => {
    const { photoSourceAllow } = readConfig({ PHOTO_SOURCE_ALLOW: 'LOCALHOST:8080, 127.0.0.1:80,[::1]:9000' })
    assert.deepEqual(photoSourceAllow, ['localhost:8080', '127.0.0.1:80', '[::1]:9000'])
  })

  test('S3 needs all of its settings or none', () => {
    assert.deepEqual(readConfig(s3).s3, {
      endpoint: null,
      bucket: 'photos',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      forcePathStyle: false,
    })
    const own = readConfig({ ...s3, S3_ENDPOINT: 'http://minio:9000', S3_REGION: 'sa-east-1' }).s3
    assert.deepEqual(
      [own?.endpoint, own?.region, own?.forcePathStyle],
      ['http://minio:9000', 'sa-east-1', true],
    )
    assert.match(refusal({ S3_ENDPOINT: 'http://minio:9000' }), /^S3_BUCKET is missing/)
    assert.match(refusal({ S3_BUCKET: 'photos', S3_SECRET_ACCESS_KEY: 'x' }), /^S3_ACCESS_KEY_ID is missing/)
    assert.match(refusal({ S3_BUCKET: 'photos', S3_ACCESS_KEY_ID: 'x' }), /^S3_SECRET_ACCESS_KEY is missing/)
  })

  test('MAIL_FROM defaults to no-reply@ the host of PUBLIC_BASE_URL', () => {
    const from = (env: Env) => readConfig({ SMTP_URL: 'smtp://mail.example:587', ...env }).mailFrom
    assert.equal(from({ MAIL_FROM: 'Listings <a@example.com>' }), 'Listings <a@example.com>')
    assert.equal(from({ PUBLIC_BASE_URL: 'https://listings.example/x' }), 'Svc <no-reply@listings.example>')
    assert.equal(from({}), 'Svc <no-reply@localhost>')
    assert.equal(from({ HOST: '::1' }), 'Svc <no-reply@localhost>')
    assert.equal(from({ MAIL_FROM: 'a@example.com', SERVICE_NAME: 'Casas' }), 'Casas <a@example.com>')
    assert.deepEqual([readConfig({}).smtpUrl, readConfig({}).mailFrom], [null, null])
  })

  test('WORKERS defaults to the number of cores; METRICS_PORT and DATABASE_READ_URL are unset', () => {
    const config = readConfig({})
    assert.deepEqual(
      [config.workers, config.metricsPort, config.databaseReadUrl],
      [availableParallelism(), null, null],
    )
    const set = readConfig({
      ...production,
      WORKERS: '4',
      METRICS_PORT: '9464',
      DATABASE_READ_URL: 'postgresql://replica.example/listings',
    })
    assert.deepEqual(
      [set.workers, set.metricsPort, set.databaseReadUrl],
      [4, 9464, 'postgresql://replica.example/listings'],
    )
  })

  test('MARKETPLACE_URL needs MARKETPLACE_SECRET, and may be private even in production', () => {
    const env = {
      ...production,
      MARKETPLACE_URL: 'http://127.0.0.1:8080/events?from=svc',
      MARKETPLACE_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }
    const { marketplaceUrl, marketplaceSecret, worker } = readConfig(env)
    assert.deepEqual([marketplaceUrl, marketplaceSecret], [env.MARKETPLACE_URL, env.MARKETPLACE_SECRET])
    assert.match(refusal({ MARKETPLACE_URL: 'https://market.example' }), /^MARKETPLACE_SECRET is missing/)
    assert.deepEqual([worker, readConfig({ WORKER: 'off' }).worker], ['inline', 'off'])
  })

  test('CRAWLERS_ALLOW and CRAWLERS_DENY are lists', () => {
    const { crawlersAllow, crawlersDeny } = readConfig({
      CRAWLERS_ALLOW: 'OurBot, other',
      CRAWLERS_DENY: 'Nasty',
    })
    assert.deepEqual([crawlersAllow, crawlersDeny], [['OurBot', 'other'], ['Nasty']])
  })

  test('LOG_LEVEL is more verbose in production', () => {
    assert.deepEqual(
      [readConfig({}).logLevel, readConfig(production).logLevel, readConfig({ LOG_LEVEL: 'debug' }).logLevel],
      ['warn', 'info', 'debug'],
    )
  })
})
