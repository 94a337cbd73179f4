/**
 * Enforces docs/architecture.md: imports point one way, the domain does not depend on HTTP, only two files read the environment, and files
 * stay small.
 */
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'

/** From top to bottom: a file imports from lower layers and its own folder, never from the same layer or above. */
const layers: readonly (readonly string[])[] = [
  ['server.ts', 'cli.ts', 'worker.ts'],
  ['operations/cli/', 'operations/processes/'],
  ['app.ts', 'compose.ts', 'operations/open-database.ts'],
  ['api/', 'pages/', 'operations/metrics/', 'operations/tracing/'],
  ['operations/worker/'],
  ['operations/backup/', 'operations/transfer/'],
  ['samples/'],
  ['http/'],
  ['listings/'],
  ['listings/writing/'],
  ['listings/gallery/'],
  ['listings/store/'],
  ['listings/history/'],
  ['listings/reading/'],
  ['listings/listing.ts'],
  ['listings/fields/'],
  ['deps.ts'],
  ['delivery/mails/'],
  ['agencies/'],
  ['access/', 'delivery/notifications/', 'listings/geocoding/', 'listings/photos/', 'pages/tiles/'],
  ['writing/'],
  ['limits/', 'listings/addresses/'],
  ['platform/config/', 'platform/db/', 'platform/web/'],
  ['platform/'],
  ['limits/sizes.ts', 'limits/table.ts'],
]

/** Layers that may import less from a lower one than the table allows. */
const narrow: readonly { from: string; to: string; files: readonly string[]; why: string }[] = [
  { from: 'http/', to: 'listings/', files: [], why: 'it serves endpoints of any kind' },
  {
    from: 'listings/',
    to: 'agencies/',
    files: ['agencies/agencies.ts', 'agencies/details.ts', 'agencies/twins.ts'],
    why: 'a listing shows its agency, whose profile is written under the same lock',
  },
]

/** Packages that only certain files may import. */
const packages: readonly { name: RegExp; among: RegExp }[] = [
  {
    name: /^@?fastify/,
    among: /^(app\.ts|(http|pages|operations\/(metrics|processes|tracing)|platform\/web)\/)/,
  },
  { name: /^node:http/, among: /^(app\.ts|(http|pages|operations\/metrics)\/)/ },
  { name: /^pg$/, among: /^(platform\/db|operations)\// },
  { name: /^sharp$/, among: /^(listings\/photos|samples)\// },
]

const { dependencies: production } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { dependencies: Record<string, string> }

type Import = { from: string; to: string; typesOnly: boolean }

const root = new URL('../src/', import.meta.url).pathname
const generated = new Set(['src/platform/db/types.ts', 'clients/typescript/src/openapi.ts'])
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort()
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const imports = [...texts].flatMap(([from, text]) => importsOf(from, text))

function importsOf(from: string, text: string): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|^import\s+()'([^']+)'|\bimport\(()'([^']+)'\)/gm,
  )
  return [...statements].map((match) => {
    const target = match[2] ?? match[4] ?? match[6] ?? ''
    const to = target.startsWith('.') ? join(dirname(from), target) : target
    return { from, to, typesOnly: match[1] !== undefined }
  })
}

const isOwn = (path: string) => texts.has(path)
const folders = layers.flat().sort((a, b) => b.length - a.length)
/** The innermost folder in the table that contains a file. */
const folderOf = (path: string) =>
  folders.find((folder) => path === folder || path.startsWith(folder)) ?? path
const layerOf = (path: string) => layers.findIndex((layer) => layer.includes(folderOf(path)))

describe('imports', () => {
  test('are found at all', () => {
    assert.ok(files.length > 50 && imports.length > files.length)
    const missing = imports.filter(({ to }) => !isOwn(to) && to.endsWith('.ts'))
    assert.deepEqual(missing, [])
  })

  test('come only from files that have a layer', () => {
    assert.deepEqual(
      files.filter((file) => layerOf(file) === -1),
      [],
    )
  })

  test('have the layers that docs/architecture.md shows', () => {
    const rows = readFileSync(join(root, '../docs/architecture.md'), 'utf8').matchAll(/^\| \d+ \| (.*) \|$/gm)
    const shown = [...rows]
      .flatMap(([, row = '']) => row.split(', above '))
      .map((layer) => [...layer.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
    assert.deepEqual(shown, layers)
  })

  test('point to lower layers only', () => {
    const wrong = imports.filter(
      ({ from, to }) => isOwn(to) && folderOf(from) !== folderOf(to) && layerOf(from) >= layerOf(to),
    )
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} → ${to}`),
      [],
    )
  })

  test('are narrower where a layer is restricted', () => {
    for (const { from, to, files: allowed, why } of narrow) {
      const wrong = imports.filter(
        (one) => one.from.startsWith(from) && one.to.startsWith(to) && !allowed.includes(one.to),
      )
      assert.deepEqual(
        wrong.map((one) => `${one.from} → ${one.to}`),
        [],
        why,
      )
    }
  })

  test('of the deps are types only, because the values are passed in', () => {
    const wrong = imports.filter(({ to, typesOnly }) => to === 'deps.ts' && !typesOnly)
    assert.deepEqual(
      wrong.map(({ from }) => from),
      [],
    )
    assert.deepEqual(
      imports.filter(({ from, typesOnly }) => from === 'deps.ts' && !typesOnly),
      [],
    )
  })

  test('of restricted packages stay where they belong', () => {
    for (const { name, among } of packages) {
      const wrong = imports.filter(({ from, to }) => name.test(to) && !among.test(from))
      assert.deepEqual(
        wrong.map(({ from, to }) => `${from} → ${to}`),
        [],
      )
    }
  })

  test('of packages need no development dependency, so that `npm ci --omit=dev` is enough to run', () => {
    const wrong = imports
      .filter(({ to, typesOnly }) => !typesOnly && !/^node:|\.json$/.test(to) && !isOwn(to))
      .filter(({ to }) => !((/^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to) in production))
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} → ${to}`),
      [],
    )
    assert.ok(!('node' in production), 'a production start runs on the Node of its machine')
  })

  test('have no cycles, not even between types', () => {
    const own = imports.filter(({ to }) => isOwn(to))
    const below = new Map(
      files.map((file) => [file, own.filter(({ from }) => from === file).map(({ to }) => to)]),
    )
    const done = new Set<string>()
    const walk = (file: string, path: readonly string[]): void => {
      assert.ok(!path.includes(file), `a circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
      if (done.has(file)) return
      for (const next of below.get(file) ?? []) walk(next, [...path, file])
      done.add(file)
    }
    for (const file of files) walk(file, [])
  })

  test('name the defining file: no file re-exports another’s names', () => {
    assert.deepEqual(
      files.filter((file) => file.endsWith('index.ts')),
      [],
    )
    assert.deepEqual(
      [...texts].filter(([, text]) => /^export (\*|\{[^}]*\}) from/m.test(text)).map(([file]) => file),
      [],
    )
  })
})

describe('the TypeScript client', () => {
  test('is self-contained: it imports only its own files and, for its command, Node’s modules', () => {
    const folder = new URL('../clients/typescript/src/', import.meta.url).pathname
    const own = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    assert.ok(own.length > 10)
    const wrong = own.flatMap((file) =>
      importsOf(file, readFileSync(join(folder, file), 'utf8'))
        .filter(({ to }) => !own.includes(to) && !(/^(cli\.ts|sync\/)/.test(file) && to.startsWith('node:')))
        .map(({ to }) => `${file} → ${to}`),
    )
    assert.deepEqual(wrong, [])
  })
})

describe('statements', () => {
  test('are SQL text, except for simple reads and writes of administrative data, which use the query builder', () => {
    const builder = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/
    assert.deepEqual(
      [...texts]
        .filter(([file, text]) => builder.test(text) && !/^(access|agencies|delivery)\//.test(file))
        .map(([file]) => file),
      [],
    )
  })

  test('are declared: only timestamps in builder queries use Kysely’s `sql`', () => {
    assert.deepEqual(
      [...texts].filter(([, text]) => /\bsql\b[^;]*? from 'kysely'/.test(text)).map(([file]) => file),
      ['platform/db/statements/now.ts'],
    )
  })

  test('are declared, or made by `oneOff`, rather than written inline', () => {
    const written = /\.(run|runAll|runShared|runPage)(<[^()]*>)?\(\s*\[?\s*\{\s*text\b/
    assert.deepEqual(
      [...texts].filter(([, text]) => written.test(text)).map(([file]) => file),
      [],
    )
  })

  test('reach the driver through a connection: other than that, only the pool and its probes call it', () => {
    assert.deepEqual(
      [...texts].filter(([, text]) => /\.query(<[^()]*>)?\(/.test(text)).map(([file]) => file),
      ['platform/db/database.ts', 'platform/db/presence/probes.ts', 'platform/db/statements/connection.ts'],
    )
  })

  test('are the same for both engines: no file outside db/ checks which one runs', () => {
    const asking = [...texts].filter(
      ([file, text]) => !file.startsWith('platform/db/') && /\bisDistributed\b|,\s*'plain',?\s*\)/.test(text),
    )
    assert.deepEqual(
      asking.map(([file]) => file),
      [],
    )
  })

  test('never delete the row of a listing, because clients that keep a copy must learn about every removal', () => {
    const deleting = [...texts].filter(([, text]) =>
      /\bdelete\s+from\s+(only\s+)?properties\b|\btruncate\b/i.test(text),
    )
    assert.deepEqual(
      deleting.map(([file]) => file),
      [],
    )
  })
})

describe('files', () => {
  test('read the environment only for settings and the name of the command line', () => {
    const reading = [...texts].filter(([, text]) =>
      /process(\.|\?\.|\[['"])env\b|\{[^}]*\benv\b[^}]*\} from 'node:process'/.test(text),
    )
    assert.deepEqual(
      reading.map(([file]) => file),
      ['platform/config/config.ts', 'platform/program/svc-command.ts'],
    )
  })

  test('have at most 300 lines, and tests 400', () => {
    const length = (file: string) =>
      readFileSync(join(root, '..', file), 'utf8')
        .trimEnd()
        .split('\n').length
    const programs = globSync('{src,clients/*/src,test,bench,chaos,scripts}/**/*.ts', {
      cwd: join(root, '..'),
    })
    assert.ok(programs.length > texts.size)
    assert.deepEqual(
      programs.filter(
        (file) => !generated.has(file) && length(file) > (file.startsWith('test/') ? 400 : 300),
      ),
      [],
    )
  })

  test('are described by folder: a README names every sub-folder', () => {
    const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    const missing = folders.flatMap(({ name }) => {
      const readme = readFileSync(join(root, name, 'README.md'), 'utf8')
      const inside = readdirSync(join(root, name), { withFileTypes: true })
      return inside
        .filter((entry) => entry.isDirectory() && !readme.includes(`\`${entry.name}/\``))
        .map((entry) => `${name}/${entry.name}`)
    })
    assert.deepEqual(missing, [])
  })

  test('start with their purpose, in tests and scripts too', () => {
    const programs = globSync('{src,test,bench,chaos,scripts}/**/*.ts', { cwd: join(root, '..') })
    const silent = programs.filter(
      (file) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(join(root, '..', file), 'utf8')),
    )
    assert.ok(programs.length > texts.size)
    assert.deepEqual(silent, [])
  })

  test('cast types through unknown only for the table of endpoints and for pairs in JSON', () => {
    assert.deepEqual(
      [...texts].filter(([, text]) => /\bas unknown as /.test(text)).map(([file]) => file),
      ['http/endpoint.ts', 'samples/listings.ts'],
    )
  })

  test('contain no suppression of the type checker or linter, and no unfinished work', () => {
    const marks =
      /@ts-(ignore|expect-error|nocheck)|(eslint|oxlint)-disable|\bTODO\b|\bFIXME\b|\bas any\b|: any\b/
    assert.deepEqual(
      [...texts].filter(([, text]) => marks.test(text)).map(([file]) => file),
      [],
    )
  })
})

describe('examples', () => {
  test('can be copied: they import only the standard library and neighbouring files', () => {
    const examples = join(root, '../examples')
    const programs = readdirSync(examples, { recursive: true, encoding: 'utf8' })
    const wrong = programs
      .filter((file) => /\.(ts|php)$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(examples, file), 'utf8')
        const taken = text.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)|\brequire_once (.+);/g)
        return [...taken].map(([, ...names]) => names.find((name) => name !== undefined) ?? '')
      })
      .filter((name) => !/^(node:[\w/]+|\.\/[\w-]+\.ts|__DIR__ \. '\/[\w-]+\.php')$/.test(name))
    assert.ok(programs.length > 3)
    assert.deepEqual(wrong, [])
  })
})
