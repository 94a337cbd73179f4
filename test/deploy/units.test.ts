/** deploy/systemd, deploy/nginx and deploy/caddy fit the service: its settings, start commands, sizes and timeouts. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { slownessLimits } from '../../src/http/connections/client-errors.ts'
import { sizeLimits } from '../../src/limits/sizes.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { knownSettings } from '../support/known-settings.ts'

const root = join(import.meta.dirname, '../..')
const text = (path: string): string => readFileSync(join(root, path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'units-'))
after(() => rmSync(folder, { recursive: true }))

const units = readdirSync(join(root, 'deploy', 'systemd')).filter((name) => name.endsWith('.service'))
const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
const settings = knownSettings()
/** Variables of Node, the C library and the system, and the command's name in messages. */
const foreign = ['NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX', 'TMPDIR', 'SVC_COMMAND']

/** The values of a unit's setting, in order. */
function valuesOf(unit: string, name: string): string[] {
  return [...text(`deploy/systemd/${unit}`).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(
    ([, value = '']) => value,
  )
}

/** The lines of svc.env, with those of the embedded database in place of DATABASE_URL if it is wanted. */
function environmentFile(isEmbedded: boolean): string[] {
  const lines = text('deploy/systemd/svc.env').split('\n')
  return lines
    .map((line) => (isEmbedded ? line.replace(/^#(?=[A-Z_]+=)/, '') : line))
    .filter((line) => /^[A-Z_]+=/.test(line) && !(isEmbedded && line.startsWith('DATABASE_URL=')))
}

function environmentOf(unit: string, isEmbedded = false): Record<string, string> {
  writeFileSync(join(folder, 'secret-key'), 'a secret key of 32 characters, or so')
  const words = valuesOf(unit, 'Environment').flatMap((value) => value.split(' '))
  const pairs = [...words, ...environmentFile(isEmbedded)].map((word) => [
    word.slice(0, word.indexOf('=')),
    word
      .slice(word.indexOf('=') + 1)
      .replace('%i', '3001')
      .replace('%d', folder),
  ])
  return Object.fromEntries(pairs) as Record<string, string>
}

describe('the units', () => {
  test('give the service known and valid settings, with either database', () => {
    assert.deepEqual(units, ['svc-backup.service', 'svc-worker.service', 'svc@.service'])
    for (const unit of units)
      for (const isEmbedded of [false, true]) {
        const env = environmentOf(unit, isEmbedded)
        const unknown = Object.keys(env).filter((name) => !settings.has(name) && !foreign.includes(name))
        assert.deepEqual(unknown, [], unit)
        const { production, databaseUrl, worker, port } = readConfig(env)
        assert.ok(production)
        assert.equal(databaseUrl === null, isEmbedded)
        if (unit === 'svc@.service') assert.deepEqual([worker, port], [isEmbedded ? 'inline' : 'off', 3001])
      }
  })

  test('give each process its own port for metrics', () => {
    const ports = ['svc@.service', 'svc-worker.service'].map((unit) => environmentOf(unit)['METRICS_PORT'])
    assert.deepEqual(ports, ['13001', '13000'])
  })

  test('start the programs as `npm start`, `npm run worker` and `npm run svc` do', () => {
    for (const [unit, script] of [
      ['svc@.service', 'start'],
      ['svc-worker.service', 'worker'],
      ['svc-backup.service', 'svc'],
    ] as const) {
      const command = scripts[script]?.replace(/^.* exec node/, '/usr/bin/node') ?? 'none'
      assert.ok(valuesOf(unit, 'ExecStart')[0]?.startsWith(command), unit)
    }
    for (const unit of units)
      for (const [path] of text(`deploy/systemd/${unit}`).matchAll(
        /\b(?:src|deploy)\/[\w/-]+\.(?:ts|mjs|cjs)\b/g,
      ))
        assert.ok(existsSync(join(root, path)), path)
  })

  test('have the same sandbox', () => {
    const sandboxes = units.map((unit) =>
      /# The sandbox.*?(?=\n\n|$(?!\n))/s.exec(text(`deploy/systemd/${unit}`))?.[0].trim(),
    )
    assert.equal(new Set(sandboxes).size, 1)
    assert.match(sandboxes[0] ?? '', /^ProtectSystem=strict$/m)
  })

  const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0
  test('are rated 2.5 or less', { skip: hasAnalyze ? false : 'systemd-analyze is not installed' }, () => {
    for (const unit of units) {
      // An instance, because a template cannot be loaded.
      const file = join(folder, unit.replace('@', '@3001'))
      writeFileSync(file, text(`deploy/systemd/${unit}`))
      execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', '--no-pager', file], {
        stdio: 'pipe',
      })
    }
  })
})

describe('the proxies', () => {
  const nginx = text('deploy/nginx/svc.conf')
  const caddy = text('deploy/caddy/Caddyfile')

  test('lead to the same two instances', () => {
    const instances = [...nginx.matchAll(/^ +server (\S+) max_fails=0;$/gm)].map(([, instance]) => instance)
    assert.deepEqual(instances, ['127.0.0.1:3001', '127.0.0.1:3002', '127.0.0.1:3001', '127.0.0.1:3002'])
    assert.match(caddy, /reverse_proxy 127\.0\.0\.1:3001 127\.0\.0\.1:3002 \{/)
  })

  test('close idle connections before the service does', () => {
    for (const [, seconds] of [
      ...nginx.matchAll(/keepalive_timeout (\d+)s/g),
      ...caddy.matchAll(/keepalive (\d+)s/g),
    ])
      assert.ok(Number(seconds) * 2 <= slownessLimits.keepAliveTimeout / 1_000)
  })

  test('allow bodies that the service accepts, and some more, so that the service refuses them itself', () => {
    const sizes = [
      ...[...nginx.matchAll(/client_max_body_size (\d+)m/g)].map(([, size]) => Number(size)),
      ...[...caddy.matchAll(/max_size (\d+)MiB/g)].map(([, size]) => Number(size)).reverse(),
    ].map((size) => size * 1_048_576)
    assert.equal(sizes.length, 4)
    for (const [index, size] of sizes.entries())
      assert.ok(size > (index % 2 === 0 ? sizeLimits.batch_body_bytes : sizeLimits.photo_bytes))
  })
})
