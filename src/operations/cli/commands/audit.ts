/** `audit …`: prints the audit log, to be kept elsewhere (docs/security.md). */
import { readAudit } from '../../../access/audit-log/export.ts'
import { parseDateTime } from '../../../platform/time/date-time.ts'
import { CommandError } from '../command.ts'
import { getNamedAgency, readingDatabase } from '../open.ts'

const exportAudit = readingDatabase(async ({ optional }, { db, printRow }) => {
  const [since, slug] = [optional('since'), optional('agency')]
  const from = since === null ? null : parseDateTime(since)
  if (since !== null && from === null)
    throw new CommandError(`--since ${since} is not a date such as 2027-03-31 or 2027-03-31T12:00:00Z.`)
  const agency = slug === null ? null : await getNamedAgency(db, slug)
  for await (const entry of readAudit(db, from, agency?.id ?? null)) await printRow(entry)
  return null
})

export { exportAudit as export }
