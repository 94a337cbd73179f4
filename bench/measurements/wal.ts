/** Measures the WAL written between two points, without full pages. Needs the extension pg_walinspect. */
import pg from 'pg'

/** Bytes of records, and of the full pages that the first change to a page after a checkpoint adds. */
type Written = { bytes: number; fullPageBytes: number }

export type Wal = {
  position(): Promise<string>
  since(position: string): Promise<Written>
  end(): Promise<void>
}

/** @returns null if the extension is not available */
export async function openWal(connection: pg.ClientConfig): Promise<Wal | null> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('create extension if not exists pg_walinspect')
  } catch {
    await client.end()
    return null
  }
  const position = async (): Promise<string> => {
    // Asynchronous commits are flushed shortly afterwards, unless another transaction commits.
    await client.query('select pg_logical_emit_message(true, $1, $2)', ['bench', ''])
    const { rows } = await client.query<{ at: string }>('select pg_current_wal_flush_lsn() as at')
    return rows[0]?.at ?? ''
  }
  return {
    position,
    async since(from) {
      const { rows } = await client.query<Written>(
        `select sum(record_size)::float8 as bytes, sum(fpi_size)::float8 as "fullPageBytes" from pg_get_wal_stats($1, $2)`,
        [from, await position()],
      )
      return rows[0] as Written
    },
    end: () => client.end(),
  }
}
