/** `person …`: exports and erases the data of a person of the dashboard (docs/operations/personal-data.md). */
import type { NamingTable } from '../../../access/accounts/personal-data/personal-data.ts'
import {
  deleteRows,
  eraseFromAudit,
  eraseFromNotices,
  findInAudit,
  findInNotices,
  findPerson,
  type Person,
  readRows,
} from '../../../access/accounts/personal-data/person.ts'
import { agenciesNaming } from '../../../agencies/twins.ts'
import {
  eraseFromHistory,
  eraseFromPhotoWarnings,
  findInHistory,
  findNames,
  findInPhotoWarnings,
} from '../../../listings/history/people-in-listings.ts'
import { databaseClock } from '../../../platform/time/clock.ts'
import { overAllNodes } from '../../../platform/db/citus/nodes.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { auditCommand, onDatabase, readingDatabase } from '../open.ts'

/** `names`: the person's in this agency, present and former. */
type Agency = Readonly<{ id: string; slug: string; names: ReadonlySet<string> }>

/** Finds or erases the person in a table that names people. */
type Naming = Readonly<{
  find: (db: Db, person: Person, agencies: readonly Agency[]) => Promise<object[]>
  /** @returns how many rows named the person */
  erase: (tx: Tx, person: Person, agencies: readonly Agency[]) => Promise<number>
}>

/**
 * Every table that names people beside other data. Erasing the warnings locks agencies, so it comes after the histories, which take long to
 * read, and before the accounts, because writes also lock an agency before an account. The audit log comes after the accounts,
 * shortly before the commit: until then, a wrong password is logged with the email.
 */
const naming: Readonly<Record<NamingTable, Naming>> = {
  listing_history: {
    find: (db, { ids }, agencies) => ofEach(agencies, (one) => findInHistory(db, one, ids)),
    erase: (tx, { ids }, agencies) => sumOf(agencies, (one) => eraseFromHistory(tx, one, ids)),
  },
  account_notices: { find: findInNotices, erase: eraseFromNotices },
  photo_sources: {
    find: (db, _, agencies) => ofEach(agencies, (one) => findInPhotoWarnings(db, one, one.names)),
    erase: (tx, _, agencies) =>
      sumOf(agencies, (one) => eraseFromPhotoWarnings(tx, one, one.names, databaseClock)),
  },
  audit_log: { find: findInAudit, erase: eraseFromAudit },
}

const exportPerson = readingDatabase(async ({ positionals: [email = ''] }, { db }) => {
  await overAllNodes(db)
  const person = await getPerson(db, email)
  const agencies = await agenciesOf(db, person)
  const named: Record<string, object[]> = {}
  for (const [table, { find }] of Object.entries(naming)) named[table] = await find(db, person, agencies)
  const json = { email: person.email, ...(await readRows(db, person)), named }
  return { json, text: JSON.stringify(json, null, 2) }
})

export const erase = onDatabase(async ({ positionals: [email = ''] }, { db }) => {
  await overAllNodes(db)
  return await inTransaction(db, async (tx) => {
    const person = await getPerson(tx, email)
    const agencies = await agenciesOf(tx, person)
    const { audit_log: log, ...others } = naming
    const erased: Partial<Record<string, number>> = {}
    for (const [table, one] of Object.entries(others)) erased[table] = await one.erase(tx, person, agencies)
    await deleteRows(tx, person)
    const inAudit = await log.erase(tx, person, agencies)
    for (const { id, agency_id: agencyId } of person.accounts)
      await auditCommand(tx, 'person_erased', agencyId, id)
    const [first] = person.ids
    const { listing_history: inHistories = 0 } = erased
    return {
      json: { id: first, histories: inHistories, audit: inAudit },
      text: `The account ${first} is closed. The name was removed from ${inHistories} entries of histories and ${inAudit} of the audit log.`,
    }
  })
})

/** @throws ApiError 404 */
async function getPerson(db: Db | Tx, email: string): Promise<Person> {
  const person = await findPerson(db, email)
  if (person !== null) return person
  throw new ApiError('not_found', { message: `No account has the email "${email}".` })
}

async function agenciesOf(db: Db | Tx, { accounts, ids, names }: Person): Promise<Agency[]> {
  // Nobody ever acted with an account that is only an invitation.
  const own = accounts.filter(({ elsewhere }) => !elsewhere)
  const agencies = await ofEach(own, ({ agency_id: id }) => agenciesNaming(db, id))
  return await ofEach(agencies, async (one) => [
    { ...one, names: new Set([...names, ...(await findNames(db, one, ids))]) },
  ])
}

async function ofEach<One, Found>(
  all: readonly One[],
  find: (one: One) => Promise<Found[]>,
): Promise<Found[]> {
  const found: Found[] = []
  for (const one of all) found.push(...(await find(one)))
  return found
}

async function sumOf(
  agencies: readonly Agency[],
  count: (agency: Agency) => Promise<number>,
): Promise<number> {
  let sum = 0
  for (const agency of agencies) sum += await count(agency)
  return sum
}

export { exportPerson as export }
