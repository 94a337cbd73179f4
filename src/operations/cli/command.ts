/** The type of a command, and the parser of its arguments. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../../platform/config/config.ts'
import { svcCommand } from '../../platform/program/svc-command.ts'
import { hasCode } from '../../platform/errors/errors.ts'

/** Wrong arguments, or a problem the command found. The message is one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** The value of an option whose value was omitted: no argument can equal it. */
export const leftOut = '\0'

export type Option = Readonly<{
  /** The value's placeholder in the help. Without it, the option is a switch. */
  value?: string
  /** The value may be omitted; then it is `leftOut`. */
  valueOptional?: boolean
  /** May be given more than once. */
  multiple?: boolean
  required?: boolean
  /** The only values allowed. */
  choices?: readonly string[]
  /** Least and greatest, for a whole number. */
  range?: readonly [min: number, max: number]
  help: string
}>

/** The checked arguments of one call: required ones are present, none is repeated or unknown. */
export type Input = Readonly<{
  positionals: readonly string[]
  /** The value of a required option. */
  text: (name: string) => string
  optional: (name: string) => string | null
  list: (name: string) => string[]
  isSet: (name: string) => boolean
}>

export type Output = Readonly<{
  /** The output with `--json`. */
  json: unknown
  /** The output without `--json`. */
  text: string
  /** A problem the command found, in one line. The exit code becomes 1. */
  failure?: string
}>

export type Context = Readonly<{
  /** Reads the settings. @throws ConfigError */
  settings: () => Promise<Config>
  /** Prints progress to standard error; silent with `--json`. */
  note: (line: string) => void
  /**
   * Prints a row of a result that is too long to hold in memory, as a line of JSON; with `--json`, as an element of one array. The command
   * then returns no output.
   */
  printRow: (row: unknown) => Promise<void>
}>

export type Command = Readonly<{
  /** One or two words. */
  name: string
  summary: string
  /** Further lines of its help. */
  details?: string
  positionals?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** Imports the code that runs it. */
  load: () => Promise<Run>
}>

/** @returns null if all output was printed by rows */
export type Run = (input: Input, context: Context) => Promise<Output | null>

/** @throws CommandError with one line that explains the mistake. */
export function readInput(
  command: Command,
  args: readonly string[],
): { input: Input; json: boolean; help: boolean } {
  const options = command.options ?? {}
  const { values, positionals, tokens } = parse(command, args)
  const given = tokens.filter((token) => token.kind === 'option').map(({ name }) => name)
  const help = given.includes('help')
  if (!help) {
    const twice = given.find(
      (name, index) => given.indexOf(name) !== index && options[name]?.multiple !== true,
    )
    if (twice !== undefined) throw new CommandError(`--${twice} is given more than once.`)
    for (const [name, option] of Object.entries(options)) {
      if (option.required === true && !given.includes(name)) throw misuse(command, `--${name} is missing.`)
      for (const value of [values[name] ?? []].flat()) checkValue(name, option, String(value))
    }
    const wanted = command.positionals ?? []
    if (positionals.length < wanted.length) {
      const taker = Object.keys(options).find(
        (name) => options[name]?.valueOptional === true && (values[name] ?? leftOut) !== leftOut,
      )
      const hint = taker === undefined ? '' : ` "${values[taker]}" was read as the value of --${taker}.`
      throw misuse(command, `${wanted[positionals.length]} is missing.${hint}`)
    }
    if (positionals.length > wanted.length)
      throw misuse(command, `"${positionals[wanted.length]}" is unexpected.`)
  }
  const list = (name: string): string[] =>
    [values[name] ?? []].flat().filter((value) => typeof value === 'string')
  const optional = (name: string): string | null => list(name)[0] ?? null
  return {
    input: {
      positionals,
      text: (name) => optional(name) ?? '',
      optional,
      list,
      isSet: (name) => values[name] === true,
    },
    json: given.includes('json'),
    help,
  }
}

/** @throws CommandError */
function checkValue(name: string, { choices, range }: Option, value: string): void {
  if (choices !== undefined && !choices.includes(value)) {
    const allowed = choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`
    throw new CommandError(`--${name} must be ${allowed}, not "${value}".`)
  }
  const [min, max] = range ?? [0, Number.POSITIVE_INFINITY]
  if (range !== undefined && !(/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max))
    throw new CommandError(`--${name} must be a whole number from ${min} to ${max}.`)
}

function parse(command: Command, args: readonly string[]) {
  const options: ParseArgsOptionsConfig = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
  for (const [name, { value, multiple = false }] of Object.entries(command.options ?? {})) {
    options[name] = { type: value === undefined ? 'boolean' : 'string', multiple }
  }
  try {
    return parseArgs({ args: withEmptyValues(command, args), options, allowPositionals: true, tokens: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const name = /--?[a-z][a-z-]*/i.exec(error.message)?.[0] ?? 'option'
    if ('code' in error && error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
      throw misuse(command, `Unknown option ${name}.`)
    const takesNone = error.message.includes('does not take an argument')
    throw misuse(command, takesNone ? `${name} takes no value.` : `${name} needs a value.`)
  }
}

/**
 * Fills in omitted optional values, which the parser does not support.
 * @throws CommandError for an empty value: an unset variable of a script must not mean all
 */
function withEmptyValues(command: Command, args: readonly string[]): string[] {
  const isOptional = (arg: string) => command.options?.[arg.slice(2)]?.valueOptional === true
  return args.map((arg, index) => {
    const name = arg.replace(/=$/, '')
    if (!arg.startsWith('--') || !isOptional(name)) return arg
    const next = args[index + 1]
    if (name !== arg || next === '')
      throw misuse(command, `${name} has an empty value. Give it a name, or leave the value out to mean all.`)
    return next === undefined || next.startsWith('-') ? `${arg}=${leftOut}` : arg
  })
}

function misuse(command: Command, what: string): CommandError {
  return new CommandError(`${what} Usage: ${usage(command)}`)
}

/** A command's usage, on one line. */
export function usage(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, { value, required, multiple }]) => {
    const text = value === undefined ? `--${name}` : `--${name} ${value}`
    return (required === true ? text : `[${text}]`) + (multiple === true ? '…' : '')
  })
  return [svcCommand, command.name, ...(command.positionals ?? []), ...options, '[--json]'].join(' ')
}

/** An error's message in one line. Messages of the drivers contain no passwords. */
export function describeError(error: unknown): string {
  // If none of a host's IPs answers, there is one error for each, and an empty message.
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return (error.message === '' ? error.name : error.message) + hint(error)
}

const insufficientPrivilege = '42501'

/** The way out, if the system or PostgreSQL refused the access. */
function hint(error: Error): string {
  if (hasCode(error, 'EACCES', 'EROFS') && 'path' in error)
    return ' (the user that runs this command needs access to it)'
  if (!hasCode(error, insufficientPrivilege)) return ''
  return error.message.startsWith('permission denied for table')
    ? `: run this as the owner of the tables, or let the owner run \`${svcCommand} database grant ROLE\``
    : ': run this as the owner of the database'
}
