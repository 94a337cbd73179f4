/** Builds the entries of the command table for the commands that one module runs. */
import type { Command, Run } from './command.ts'

/**
 * @param word their first word; empty if they have only one
 * @param load imports the module, which exports each under its other word
 */
export function group<Name extends string>(
  word: string,
  load: () => Promise<Readonly<Record<NoInfer<Name>, Run>>>,
  described: Readonly<Record<Name, Omit<Command, 'name' | 'load'>>>,
): Command[] {
  return (Object.keys(described) as Name[]).map((exported) => ({
    ...described[exported],
    name: `${word} ${exported.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`.trim(),
    load: async () => (await load())[exported],
  }))
}
