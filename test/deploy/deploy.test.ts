/**
 * Checks deploy/ without running a container: the service knows every setting and accepts its value, every secret is generated, the image
 * contains the copied files, and the manifests fit together.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { type Config, readConfig } from '../../src/platform/config/config.ts'
import { settingsFromFiles } from '../../src/platform/config/settings-reader.ts'
import { knownSettings } from '../support/known-settings.ts'

type Env = Record<string, string>
/** Any YAML value; a missing part fails the test that looks for it. */
type Tree = { [name: string]: Tree } & Tree[] & string

const root = join(import.meta.dirname, '../..')
const text = (path: string): string => readFileSync(join(root, path), 'utf8')
const documents = (path: string): Tree[] =>
  parseAllDocuments(text(path), { merge: true }).map((document) => {
    assert.deepEqual(document.errors, [], path)
    return document.toJS() as Tree
  })

const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
after(() => rmSync(folder, { recursive: true }))

/** A value for every secret file, as `make-secrets` generates it, and the names of the generated files. */
function makeSecrets(): string[] {
  cpSync(join(root, 'deploy', 'make-secrets'), join(folder, 'make-secrets'))
  execFileSync(join(folder, 'make-secrets'), { stdio: 'ignore' })
  return readdirSync(join(folder, 'secrets'))
}

/** The settings that a container would see, with secret files mounted from this folder. @throws ConfigError */
function configOf(env: Env): Config {
  const placed = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/^\/run\/secrets\/(?:listings\/)?/, `${folder}/secrets/`),
  ])
  return readConfig(Object.fromEntries(placed) as Env)
}

const settings = knownSettings()
const secrets = makeSecrets()

function assertKnown(names: Iterable<string>, where: string): void {
  assert.deepEqual(
    [...names].filter((name) => !settings.has(name)),
    [],
    where,
  )
}

describe('the image', () => {
  const lines = text('deploy/Dockerfile').replaceAll('\\\n', ' ').split('\n')
  const packages = JSON.parse(text('package.json')) as { devDependencies: Env }

  test('uses the Node version of package.json', () => {
    const version = /^ARG NODE_IMAGE=node:(\d+\.\d+\.\d+)-/m.exec(text('deploy/Dockerfile'))?.[1]
    assert.equal(version, packages.devDependencies['node'])
  })

  test('includes what it copies, and excludes everything else', () => {
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(/\s+/).slice(1, -1))
    const allowed = text('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    assert.equal(allowed[0], '*')
    assert.deepEqual(
      [...new Set(copied)].sort(),
      allowed
        .slice(1)
        .map((line) => line.slice(1))
        .sort(),
    )
    for (const path of copied) assert.ok(existsSync(join(root, path)), path)
  })

  test('sets only known settings, and runs as an unprivileged user', () => {
    const env = lines
      .filter((line) => line.startsWith('ENV '))
      .flatMap((line) => line.match(/\b[A-Z_]+(?==)/g) ?? [])
    assert.ok(env.includes('NODE_ENV'))
    // Variables of Node itself and of the C library.
    assertKnown(
      env.filter((name) => name !== 'NODE_OPTIONS' && name !== 'MALLOC_ARENA_MAX'),
      'Dockerfile',
    )
    const { start = '' } = JSON.parse(text('package.json')).scripts
    const [flags = ''] = lines.map((line) => /NODE_OPTIONS='([^']+)'/.exec(line)?.[1]).filter(Boolean)
    assert.ok(flags !== '' && start.includes(flags), 'the same heap as npm start')
    const arenas = /MALLOC_ARENA_MAX=\d+/.exec(start)?.[0] ?? 'none'
    assert.ok(env.length > 0 && text('deploy/Dockerfile').includes(arenas), 'the same allocator as npm start')
    assert.ok(lines.includes('USER 1000:1000'))
    for (const start of ['ENTRYPOINT', 'CMD', 'HEALTHCHECK'])
      assert.match(lines.find((line) => line.startsWith(start)) ?? '', /\["[^\]]*"\]$/, 'exec form')
  })
})

type Compose = { services?: Record<string, Tree>; secrets?: Record<string, Tree> }

for (const [file, steps, unused] of [
  ['compose.yaml', ['bucket', 'migrate'], []],
  ['citus/compose.yaml', ['bucket', 'distribute', 'migrate'], ['database-url', 'pgbouncer-users.txt']],
] as const) {
  describe(file, () => {
    const { services = {}, secrets: declared = {} } = parse(text(`deploy/${file}`), {
      merge: true,
    }) as Compose
    const own = Object.entries(services).filter(([, { image }]) => image === 'property-listing-api')
    /** Fills in the required variables, and the defaults of optional ones. */
    const filled = (value: unknown): string =>
      String(value)
        .replace('${PUBLIC_BASE_URL:?set it to the address that clients use}', 'https://listings.example')
        .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    const envOf = (service: Tree): Env =>
      Object.fromEntries(
        Object.entries(service['environment'] ?? {}).map(([name, value]) => [name, filled(value)]),
      )

    test('gives each service valid settings', () => {
      assert.deepEqual(own.map(([name]) => name).sort(), [...steps, 'service', 'worker'])
      for (const [name, service] of own) {
        const env = envOf(service)
        assertKnown(Object.keys(env), name)
        assert.deepEqual(
          Object.values(env).filter((value) => value.includes('${')),
          [],
          name,
        )
        assert.ok(configOf(env).production, name)
        const program = service['command']?.[0] ?? 'src/server.ts'
        assert.ok(existsSync(join(root, program)), program)
      }
    })

    test('contains no password, only files that make-secrets generates', () => {
      const files = Object.values(declared).map(({ file: path }) =>
        String(path).replace(/^\.{1,2}\/secrets\//, ''),
      )
      assert.deepEqual([...files, ...unused].sort(), secrets.sort())
      const mounted = Object.values(services).flatMap(({ secrets: names = [] as unknown as Tree }) =>
        [...names].map((name) => (typeof name === 'string' ? name : name['source'])),
      )
      assert.deepEqual([...new Set(mounted)].sort(), Object.keys(declared).sort())
      for (const [name, service] of Object.entries(services)) {
        for (const [variable, value] of Object.entries(service['environment'] ?? {})) {
          if (/PASSWORD|SECRET|_KEY|DATABASE_URL/.test(variable))
            assert.match(String(value), /^\/run\/secrets\/|^\$\{\w+:-\}$/, `${name}: ${variable}`)
        }
      }
    })

    test('has a health check for each long-running service', () => {
      for (const [name, service] of Object.entries(services)) {
        const stays = service['restart'] !== 'no'
        assert.equal(service['healthcheck']?.['test']?.[0] === 'CMD', stays, name)
      }
    })

    test('depends only on its own services', () => {
      for (const [name, { depends_on: needed = {} }] of Object.entries(services))
        for (const other of Object.keys(needed)) assert.ok(other in services, `${name}: ${other}`)
    })
  })
}

test('compose.yaml mounts a PgBouncer that keeps prepared statements and lets clients wait longer than the service does', () => {
  const pooler = text('deploy/pgbouncer/pgbouncer.ini')
  assert.match(pooler, /^pool_mode = transaction$/m)
  assert.match(pooler, /^max_prepared_statements = [1-9]/m)
})

describe('the manifests', () => {
  const kustomization = documents('deploy/kubernetes/kustomization.yaml')[0] as Tree
  const resources = [...(kustomization['resources'] ?? [])].flatMap((file) =>
    documents(`deploy/kubernetes/${file}`),
  )
  const [ingress] = documents('deploy/kubernetes/ingress.example.yaml')
  const pods = resources.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  const env = Object.fromEntries(
    text('deploy/kubernetes/settings.env')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  ) as Env
  const container = (resource: Tree): Tree =>
    resource['spec']?.['template']?.['spec']?.['containers']?.[0] as Tree
  const labels = (resource: Tree): Tree => resource['spec']?.['template']?.['metadata']?.['labels'] as Tree

  test('are all listed in the kustomization', () => {
    const files = readdirSync(join(root, 'deploy', 'kubernetes')).filter(
      (file) => file.endsWith('.yaml') && !file.includes('example') && file !== 'kustomization.yaml',
    )
    assert.deepEqual([...(kustomization['resources'] ?? [])].sort(), files.sort())
  })

  test('give each pod valid settings', () => {
    assert.equal(pods.length, 3)
    assertKnown(Object.keys(env), 'settings.env')
    for (const pod of pods) {
      const more = [...(container(pod)['env'] ?? [])].map(({ name, value }) => [name, value])
      const all = { ...env, ...(Object.fromEntries(more) as Env) }
      assertKnown(Object.keys(all), String(pod['metadata']?.['name']))
      const config = configOf(all)
      assert.ok(config.production)
      assert.ok(existsSync(join(root, String(container(pod)['args']?.[0]))))
      const ports = [...(container(pod)['ports'] ?? [])].map(({ name, containerPort }) => [
        String(name),
        containerPort,
      ])
      const { http, metrics } = Object.fromEntries(ports) as Record<string, unknown>
      if (http !== undefined) assert.equal(http, config.port)
      if (metrics !== undefined) assert.equal(metrics, config.metricsPort)
    }
  })

  test('let no pod write to its image, run as root or gain privileges', () => {
    for (const pod of pods) {
      const securityContext = pod['spec']?.['template']?.['spec']?.['securityContext']
      assert.equal(securityContext?.['runAsNonRoot'], true)
      assert.equal(securityContext?.['runAsUser'], 1000)
      assert.deepEqual(container(pod)['securityContext'], {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  test('select pods that exist', () => {
    const names = pods.map((pod) => labels(pod)['app.kubernetes.io/name'])
    const chosen = [...resources, ingress as Tree].flatMap((resource) => {
      const selector = (resource['spec']?.['selector'] ?? resource['spec']?.['podSelector'] ?? {}) as Tree
      const plain = (selector['matchLabels'] ?? selector)['app.kubernetes.io/name']
      const listed = [...(selector['matchExpressions'] ?? [])].flatMap((expression) => [
        ...((expression as Record<string, unknown>)['values'] as Tree[]),
      ])
      return [...(typeof plain === 'string' ? [plain] : []), ...listed]
    })
    assert.ok(chosen.length >= 6)
    assert.deepEqual(
      chosen.filter((name) => !names.includes(name as Tree)),
      [],
    )
    const [path] = ingress?.['spec']?.['rules']?.[0]?.['http']?.['paths'] ?? []
    const target = path?.['backend']?.['service']?.['name']
    assert.ok(resources.some(({ kind, metadata }) => kind === 'Service' && metadata?.['name'] === target))
  })

  test('name files of one secret, each in its own setting', () => {
    const files = Object.entries(env).filter(([name]) => name.endsWith('_FILE'))
    for (const [name, path] of files) {
      assert.ok((settingsFromFiles as readonly string[]).includes(name.replace(/_FILE$/, '')), name)
      assert.match(path, /^\/run\/secrets\/listings\/[a-z0-9-]+$/)
    }
  })
})

describe('the files of deploy/', () => {
  test('are valid YAML and JSON', () => {
    const files = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => !name.startsWith('secrets'))) {
      if (file.endsWith('.yaml')) documents(`deploy/${file}`)
      if (file.endsWith('.json')) JSON.parse(text(`deploy/${file}`))
    }
  })
})
