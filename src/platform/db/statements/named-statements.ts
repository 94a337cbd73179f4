/** Statements sent together whose rows are taken by name. */
import type { Tx } from './connection.ts'
import type { Statement } from './statement.ts'

/** Statements by name, in the order in which they run; null for none. */
export type NamedStatements = Readonly<Record<string, Statement | null>>

/** The rows of each statement, by its name. */
export type NamedRows<Statements extends NamedStatements> = {
  readonly [Name in keyof Statements]: Statements[Name] extends Statement<infer Row> | null
    ? readonly Row[]
    : never
}

/** As `runAll`. A statement that is null has no rows. */
export async function runNamed<Statements extends NamedStatements>(
  tx: Tx,
  statements: Statements,
): Promise<NamedRows<Statements>> {
  const all = Object.entries(statements)
  const sent = all.flatMap(([, statement]) => statement ?? [])
  const results = (await tx.runAll(sent)).values()
  const rows = all.map(([name, statement]) => [name, statement === null ? [] : results.next().value])
  return Object.fromEntries(rows) as NamedRows<Statements>
}
