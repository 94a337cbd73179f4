/** The role that the service has on the embedded database: it reads and writes rows. Only migrations connect as the superuser. */
import type { ClientConfig } from 'pg'
import { grantRows } from '../migrations/rights.ts'
import { lockSchema, withSession } from '../statements/session.ts'
import { oneOff, statement } from '../statements/statement.ts'

const role = 'listings'

const find = statement<{ exists: boolean }>(
  'select exists (select from pg_roles where rolname = $1) as exists',
)

/** Creates the role if it is missing. @param superuser connects to the migrated database @returns the connection as the role */
export async function asServiceRole(superuser: ClientConfig): Promise<ClientConfig> {
  await withSession(superuser, (session) =>
    session.transaction(async () => {
      await lockSchema(session, [])
      if ((await find(session, [role]))[0]?.exists === true) return
      await session.run(oneOff(`create role ${role} login`))
      await grantRows(session, role)
    }),
  )
  return { ...superuser, user: role }
}
