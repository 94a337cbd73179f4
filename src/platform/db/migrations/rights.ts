/**
 * The rights that the service needs while it runs: to read and write rows. Only migrations need more. So the owner of the tables can
 * migrate, and the service can run as a role that owns nothing.
 */
import { escapeIdentifier } from 'pg'
import { type Executor, oneOff, statement } from '../statements/statement.ts'

const rights = ['select', 'insert', 'update', 'delete'] as const
/** From this version of PostgreSQL on, there is a right to analyse a table. */
const firstWithMaintain = 17

const readServer = statement<{ major: number; schema: string }>(`
  select current_setting('server_version_num')::int / 10000 as major, current_schema() as schema`)
const selectTables = statement<{ name: string }>(`
  select relname as name from pg_class
  where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by relname`)

/**
 * Grants a role the rights on all tables, and on those that later migrations add. May be repeated.
 * @param owner a connection as the owner of the tables
 * @returns the number of tables
 */
export async function grantRows(owner: Executor, role: string): Promise<number> {
  const [{ major, schema } = { major: 0, schema: 'public' }] = await readServer(owner, [])
  const granted = [...rights, ...(major >= firstWithMaintain ? ['maintain'] : [])].join(', ')
  const [inSchema, to] = [escapeIdentifier(schema), escapeIdentifier(role)]
  await owner.run(oneOff(`grant usage on schema ${inSchema} to ${to}`))
  const tables = await selectTables(owner, [])
  // One by one: Citus does not pass `all tables in schema` on to its nodes.
  for (const { name } of tables)
    await owner.run(oneOff(`grant ${granted} on ${escapeIdentifier(name)} to ${to}`))
  await owner.run(
    oneOff(`alter default privileges in schema ${inSchema} grant ${granted} on tables to ${to}`),
  )
  return tables.length
}

type Rights = Readonly<{
  /** Whether the role owns the tables, and so can migrate. */
  isOwner: boolean
  /** The rights that it lacks, each as `TABLE (RIGHT, …)`. */
  lacking: readonly string[]
}>

const selectRights = statement<{ name: string; isOwner: boolean; lacking: string[] }>(`
  select c.relname as name, pg_has_role(c.relowner, 'usage') as "isOwner",
    array(select r from unnest($1::text[]) r where not has_table_privilege(c.oid, r)) as lacking
  from pg_class c
  where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`)

/** The rights of the connection's role on the service's tables, which are all but those of extensions. */
export async function readRights(db: Executor): Promise<Rights> {
  const rows = await selectRights(db, [rights])
  return {
    isOwner: rows.every(({ isOwner }) => isOwner),
    lacking: rows
      .filter(({ lacking }) => lacking.length > 0)
      .map(({ name, lacking }) => `${name} (${lacking.join(', ')})`),
  }
}

const selectMayCreate = statement<{ mayCreate: boolean | null }>(
  `select has_schema_privilege(current_schema(), 'create') as "mayCreate"`,
)

/** Whether the connection's role can migrate, also an empty database. */
export async function mayMigrate(db: Executor): Promise<boolean> {
  const [row] = await selectMayCreate(db, [])
  return row?.mayCreate === true && (await readRights(db)).isOwner
}
