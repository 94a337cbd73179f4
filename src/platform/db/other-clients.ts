/** Other clients of the database, while tables change that they must not use. */
import { type Executor, statement } from './statement.ts'

const select = statement<{ who: string; count: number }>(`
  select concat_ws(' ', usename, 'from', coalesce(host(client_addr), 'this machine'), '(' || nullif(application_name, '') || ')') as who,
    count(*)::int as count
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and coalesce(backend_type, 'client backend') = 'client backend' and coalesce(application_name, '') !~* '^citus'
  group by 1 order by 1`)

/** A sentence for each other client that is connected. */
export async function findOtherClients(db: Executor): Promise<string[]> {
  const rows = await select(db, [])
  return rows.map(
    ({ who, count }) =>
      `Somebody is connected to this database, ${count} times as ${who}: stop the service's servers and workers, and all other clients.`,
  )
}
