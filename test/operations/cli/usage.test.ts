/** Invalid calls and settings, each reported in one line; and the help. */
// alone: it waits for processes that start
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { describeError, readInput } from '../../../src/operations/cli/command.ts'
import { commands } from '../../../src/operations/cli/commands.ts'
import { run } from '../../../src/operations/cli/run.ts'
import { ConfigError } from '../../../src/platform/config/settings-reader.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { program, svcProcess } from './svc.ts'

/** A call that must fail before it needs settings. */
async function call(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' }
  const code = await run(words, {
    settings: async () => {
      throw new ConfigError('There are no settings.')
    },
    out: (output) => (printed.out += `${output}\n`),
    err: (output) => (printed.err += `${output}\n`),
  })
  return { code, ...printed }
}

const wrong: [words: string[], message: RegExp][] = [
  [[], /^Give a command\. See: npm run -s svc -- --help$/],
  [['nonsense'], /^Unknown command "nonsense"\./],
  [['agency'], /^Unknown command "agency"\. Use one of: agency create, agency list, /],
  [['agency', 'destroy'], /^Unknown command "agency destroy"\./],
  [['--json', 'agency', 'list'], /^Give the command before "--json"\./],
  [
    ['agency', 'create', '--name', 'x'],
    /^--slug is missing\. Usage: npm run -s svc -- agency create --name NAME --slug SLUG \[--email EMAIL\] \[--json\]$/,
  ],
  [['agency', 'create', '--name', 'x', '--slug', 'y', '--slug', 'z'], /^--slug is given more than once\.$/],
  [['agency', 'create', '--name', '--slug', 'y'], /^--name needs a value\./],
  [['agency', 'create', '--name'], /^--name needs a value\./],
  [['agency', 'create', '--nam', 'x'], /^Unknown option --nam\./],
  [['agency', 'list', '-x'], /^Unknown option -x\./],
  [['agency', 'list', '--json=yes'], /^--json takes no value\./],
  [['agency', 'list', 'all'], /^"all" is unexpected\./],
  [['agency', 'activate'], /^SLUG is missing\./],
  [['key', 'revoke', 'a', 'b'], /^"b" is unexpected\./],
  [['key', 'create', '--agency', 'a', '--name', 'b'], /^--scope is missing\./],
  [['agency', 'list'], /^There are no settings\.$/],
]

for (const [words, message] of wrong) {
  test(`svc ${words.join(' ')} is refused`, async () => {
    const { code, out, err } = await call(...words)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err.trimEnd(), message)
    assert.equal(err.indexOf('\n'), err.length - 1, 'one line')
  })
}

test('commands are named as the installed command line calls them', async () => {
  const { stdout } = await svcProcess({ SVC_COMMAND: 'svc' })('--help')
  assert.match(stdout, /^Usage: svc COMMAND/)
})

test('a refused access has a hint', () => {
  const error = (message: string, details: object) =>
    describeError(Object.assign(new Error(message), details))
  const path = '/root/x'
  assert.equal(
    error(`EACCES: permission denied, mkdir '${path}'`, { code: 'EACCES', path }),
    `EACCES: permission denied, mkdir '${path}' (the user that runs this command needs access to it)`,
  )
  assert.equal(
    error('permission denied for schema public', { code: '42501' }),
    'permission denied for schema public: run this as the owner of the database',
  )
  assert.equal(error('odd', { code: 'ENOENT', path }), 'odd')
})

test('the overview names every command, and every command has help', async () => {
  for (const words of [['--help'], ['-h']]) {
    const { code, out, err } = await call(...words)
    assert.deepEqual([code, err], [0, ''])
    for (const { name, summary } of commands) assert.ok(out.includes(name) && out.includes(summary), name)
  }
  for (const command of commands) {
    const { code, out } = await call(...command.name.split(' '), '--help')
    assert.equal(code, 0)
    for (const name of Object.keys(command.options ?? {})) assert.ok(out.includes(`--${name}`), name)
  }
  const { code, out } = await call('key', '--help')
  assert.equal(code, 0)
  assert.ok(out.includes('key rotate ID') && !out.includes('agency create'))
})

test('repeated options keep their order, and a value that looks like an option needs =', () => {
  const command = commands.find(({ name }) => name === 'key create')
  assert.ok(command !== undefined)
  const { input, json } = readInput(command, [
    '--scope',
    'b',
    '--json',
    '--agency=-x',
    '--scope',
    'a',
    '--name',
    '',
  ])
  assert.deepEqual(input.list('scope'), ['b', 'a'])
  assert.deepEqual(
    [input.text('agency'), input.text('name'), input.optional('expires'), json],
    ['-x', '', null, true],
  )
  assert.equal(input.isSet('signature-required'), false)
})

test('doctor continues with an invalid setting', async () => {
  const { code, out, err } = await call('doctor', '--json')
  assert.deepEqual(JSON.parse(out), {
    ok: false,
    checks: [{ name: 'settings', ok: false, detail: 'There are no settings.' }],
  })
  assert.deepEqual([code, err], [1, 'Not working: settings.\n'])
})

test('an unreachable database is reported without its password, in doctor too', async () => {
  const svc = svcProcess({
    DATABASE_URL: 'postgres://user:open-sesame@127.0.0.1:1/none',
    SECRET_KEY: 'a key of sixteen characters',
  })
  const result = await svc('agency list --json')
  assert.deepEqual([result.code, result.stdout], [1, ''])
  assert.match(result.stderr, /^[^\n]*ECONNREFUSED[^\n]*\n$/)
  assert.ok(!result.stderr.includes('open-sesame'))
  assert.equal(readConfig({ DATABASE_URL: 'postgres:///x?host=/run' }).databaseUrl, 'postgres:///x?host=/run')
})

test('an invalid setting stops the command with a line that names it', async () => {
  const result = await svcProcess({ PORT: 'http' })('agency list')
  assert.deepEqual(result, {
    code: 1,
    stdout: '',
    stderr: 'PORT is "http": use a whole number from 0 to 65535.\n',
  })
})

test('the output of a command may be read in part, by `head` for instance', async () => {
  const child = spawn(process.execPath, [program, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  assert.equal(await text(child.stderr), '')
})
