/** Runs one call of the command line: finds the command, parses its arguments, prints its output. */
import { type Command, CommandError, type Context, describeError, readInput, usage } from './command.ts'
import { commands } from './commands.ts'
import { svcCommand } from '../../platform/program/svc-command.ts'
import { table } from './output.ts'

type Terminal = Readonly<{
  settings: Context['settings']
  /** Writes a text and a line break to standard output. May return a promise, so that its reader can keep up. */
  out: (text: string) => unknown
  /** The same to standard error. */
  err: (text: string) => void
}>

/** @returns the exit code: 0, or 1 with the reason on standard error. Never rejects. */
export async function run(args: readonly string[], terminal: Terminal): Promise<0 | 1> {
  try {
    const { command, rest } = findCommand(args)
    if (command === null) {
      await terminal.out(rest)
      return 0
    }
    const { input, json, help } = readInput(command, rest)
    if (help) {
      await terminal.out(commandHelp(command))
      return 0
    }
    const note = json ? () => {} : terminal.err
    let rows = 0
    const printRow = async (row: unknown): Promise<void> => {
      rows += 1
      await terminal.out(`${json ? (rows === 1 ? '[' : ',') : ''}${JSON.stringify(row)}`)
    }
    const perform = await command.load()
    const output = await perform(input, { settings: terminal.settings, note, printRow })
    if (output === null) {
      if (json) await terminal.out(rows === 0 ? '[]' : ']')
      return 0
    }
    await terminal.out(json ? JSON.stringify(output.json, null, 2) : output.text)
    if (output.failure === undefined) return 0
    terminal.err(output.failure)
  } catch (error) {
    terminal.err(describeError(error))
  }
  return 1
}

const seeHelp = `See: ${svcCommand} --help`

/** The command and its arguments, or null and the help text. */
function findCommand(
  args: readonly string[],
): { command: Command; rest: string[] } | { command: null; rest: string } {
  const [first = '', second = ''] = args
  if (first === '--help' || first === '-h') return { command: null, rest: overview(commands) }
  if (first === '') throw new CommandError(`Give a command. ${seeHelp}`)
  if (first.startsWith('-')) throw new CommandError(`Give the command before "${first}". ${seeHelp}`)
  const single = commands.find(({ name }) => name === first)
  if (single !== undefined) return { command: single, rest: args.slice(1) }
  const pair = commands.find(({ name }) => name === `${first} ${second}`)
  if (pair !== undefined) return { command: pair, rest: args.slice(2) }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) throw new CommandError(`Unknown command "${first}". ${seeHelp}`)
  if (second === '--help' || second === '-h') return { command: null, rest: overview(group) }
  const choices = group.map(({ name }) => name).join(', ')
  throw new CommandError(`Unknown command "${`${first} ${second}`.trim()}". Use one of: ${choices}.`)
}

/** All commands, or those of one group such as `key`. */
function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, positionals = [], summary }) => [
    [name, ...positionals].join(' '),
    summary,
  ])
  return [
    `Usage: ${svcCommand} COMMAND [OPTIONS]`,
    '',
    table(['COMMAND', ''], rows, ''),
    '',
    'Every command takes --json, to print one JSON document, and --help.',
    'Settings come from the environment, as for the server. Commands work while the server runs; without it they start',
    'the embedded database themselves. The exit code is 0, or 1 with the error on standard error.',
  ].join('\n')
}

function commandHelp(command: Command): string {
  const rows = Object.entries(command.options ?? {}).map(([name, { value, help }]) => [
    value === undefined ? `--${name}` : `--${name} ${value}`,
    help,
  ])
  rows.push(['--json', 'one JSON document instead of text'])
  return [
    `Usage: ${usage(command)}`,
    '',
    command.summary,
    ...(command.details === undefined ? [] : [command.details]),
    '',
    table(['OPTION', ''], rows, ''),
  ].join('\n')
}
