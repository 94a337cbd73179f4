/** The help texts of the command line: the overview, and one for each command. */
import { type Command, usage } from './command.ts'
import { table } from './layout.ts'

/** All commands, or those of one group such as `key`. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, positionals = [], summary }) => [
    [name, ...positionals].join(' '),
    summary,
  ])
  return [
    'Usage: npm run -s svc -- COMMAND [OPTIONS]',
    '',
    table(['COMMAND', ''], rows, ''),
    '',
    'Every command takes --json, to print one JSON document, and --help.',
    'Settings come from the environment, as for the server. Commands work while the server runs; without it they start',
    'the embedded database themselves. The exit code is 0, or 1 with the error on standard error.',
  ].join('\n')
}

/** One command. */
export function commandHelp(command: Command): string {
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
