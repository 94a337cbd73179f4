/** One check of `doctor`, and how its result is shown. */
import { describeError } from '../command.ts'

export type Check = Readonly<{
  name: string
  /** False if something does not work. */
  ok: boolean
  /** The service works, but something needs attention. */
  warning?: true
  detail: string
}>

/** The result of a check that did not fail. */
export type Finding = string | Readonly<{ warning: string }>

/** @param look throws if something does not work */
export async function check(name: string, look: () => Finding | Promise<Finding>): Promise<Check> {
  try {
    const found = await look()
    return typeof found === 'string'
      ? { name, ok: true, detail: found }
      : { name, ok: true, warning: true, detail: found.warning }
  } catch (error) {
    // Messages of PostgreSQL may have several lines.
    return { name, ok: false, detail: describeError(error).replaceAll(/\s+/g, ' ') }
  }
}

export function orThrow(problem: string | null, sound: string): string {
  if (problem !== null) throw new Error(problem)
  return sound
}
