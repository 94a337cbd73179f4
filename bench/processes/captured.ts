/**
 * The service's own SQL, for the floor and the plans: its functions run against a fake database that records statements, so that both sides
 * find the same rows in the same way. The floor reads the columns separately, to shape them by hand.
 */
import type { Executor } from '../../src/platform/db/statements/statement.ts'
import { findListing } from '../../src/listings/reading/find.ts'
import { findPage, findPageAndTotal, type PageQuery } from '../../src/listings/reading/list/list-sql.ts'
import type { ListShape } from '../scenarios/shapes.ts'

export type Statement = { text: string; parameters: readonly unknown[] }

const someAgency = '00000000-0000-7000-8000-000000000000'

/** Page and total in one statement, as sent when no total is cached. */
export function listStatement(agencyId: string, shape: ListShape, page: number): Promise<Statement> {
  return only((db) => findPageAndTotal(db, agencyId, pageQuery(shape, page)))
}

/** The page only, as sent when the total is cached. */
export function pageStatement(agencyId: string, shape: ListShape, page: number): Promise<Statement> {
  return only((db) => findPage(db, agencyId, pageQuery(shape, page)))
}

function pageQuery({ filters, sort }: ListShape, page: number): PageQuery {
  return { filters, sort, limit: 20, offset: (page - 1) * 20 }
}

/** Parameters: $1 agency, $2 public code. */
export async function readStatement(): Promise<string> {
  return (await only((db) => findListing(db, someAgency, { id: '23456789' }))).text
}

async function only(run: (db: Executor) => Promise<unknown>): Promise<Statement> {
  const statements: Statement[] = []
  await run({
    run: async ({ text, values }) => {
      statements.push({ text, parameters: values })
      return [{ public_id: '23456789' }] as never[]
    },
  })
  const [statement, ...others] = statements
  if (statement === undefined || others.length > 0) throw new Error('one statement was expected')
  return statement
}
