/**
 * The service's own SQL, for the floor and the plans: its functions run against a database that notes what it is sent. So
 * the two sides can never measure different statements.
 */
import type { Db, Tx } from '../src/db/database.ts'
import { databaseClock } from '../src/clock.ts'
import { findListing } from '../src/properties/find.ts'
import { findPage, findPageAndTotal } from '../src/properties/list-query.ts'
import { type Listing, listingColumns, noContent } from '../src/properties/listing.ts'
import { insertListing } from '../src/properties/store.ts'
import { defaultLimits } from '../src/limits/table.ts'
import type { ListShape } from './shapes.ts'

export type Statement = { text: string; parameters: readonly unknown[] }

const someAgency = '00000000-0000-7000-8000-000000000000'

/** Page and total in one statement, as sent when no total is remembered. */
export function listStatement(agencyId: string, shape: ListShape, page: number): Promise<Statement> {
  const window = { limit: 20, offset: (page - 1) * 20 }
  return only((db) => findPageAndTotal(db, agencyId, shape.filters, shape.sort, window))
}

/** The page alone, as sent when the total is remembered. */
export function pageStatement(agencyId: string, shape: ListShape, page: number): Promise<Statement> {
  const window = { limit: 20, offset: (page - 1) * 20 }
  return only((db) => findPage(db, agencyId, shape.filters, shape.sort, window))
}

/** $1 agency, $2 public code. */
export async function readStatement(): Promise<string> {
  return (await only((db) => findListing(db, someAgency, { id: '23456789' }))).text
}

/** What creating a draft sends inside its transaction: revision, listing with history. */
export function insertStatements(): Promise<Statement[]> {
  return capture((db) =>
    insertListing(
      {
        tx: db as Tx,
        clock: databaseClock,
        limits: defaultLimits,
        author: { kind: 'key', id: someAgency, name: 'bench', requestId: someAgency },
      },
      {
        ...noContent,
        agency_id: someAgency,
        id: someAgency,
        status: 'draft',
        photos: [],
        reserved: false,
        close_reason: null,
        closed_at: null,
        close_amount: null,
        close_currency: null,
      },
    ),
  )
}

/** Position of a listing's column among the parameters of the statement that inserts it. */
export function parameterOf(column: keyof Listing): number {
  return (listingColumns as readonly string[]).indexOf(column)
}

async function only(run: (db: Db) => Promise<unknown>): Promise<Statement> {
  const [statement, ...others] = await capture(run)
  if (statement === undefined || others.length > 0) throw new Error('one statement was expected')
  return statement
}

async function capture(run: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const noting = {
    executeQuery: async ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => {
      statements.push({ text: sql, parameters })
      return {
        rows: [
          { revision: 1, at: '2026-01-01T00:00:00.000Z', public_id: '23456789', property_id: someAgency },
        ],
      }
    },
  }
  await run(noting as unknown as Db)
  return statements
}
