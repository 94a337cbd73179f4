/** Runs one call of the command line: finds the command, parses its arguments, prints its output. */
import { type Command, CommandError, type Context, readInput } from './command.ts'
import { commands } from './commands.ts'
import { describeError } from './describe-error.ts'
import { commandHelp, overview } from './help.ts'

type Terminal = Readonly<{
  settings: Context['settings']
  /** Writes a text and a line break to standard output. */
  out: (text: string) => void
  /** The same to standard error. */
  err: (text: string) => void
}>

/** @returns the exit code: 0, or 1 with the reason on standard error. Never rejects. */
export async function run(args: readonly string[], terminal: Terminal): Promise<0 | 1> {
  try {
    const { command, rest } = findCommand(args)
    if (command === null) {
      terminal.out(rest)
      return 0
    }
    const { input, json, help } = readInput(command, rest)
    if (help) {
      terminal.out(commandHelp(command))
      return 0
    }
    const note = json ? () => {} : terminal.err
    const perform = await command.load()
    const output = await perform(input, { settings: terminal.settings, note })
    terminal.out(json ? JSON.stringify(output.json, null, 2) : output.text)
    if (output.failure === undefined) return 0
    terminal.err(output.failure)
  } catch (error) {
    terminal.err(describeError(error))
  }
  return 1
}

const seeHelp = 'See: npm run -s svc -- --help'

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
