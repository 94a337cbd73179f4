/** Values arrive as the API shows them; statements, transactions and broken connections behave alike with and without pipelining. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import type { Tx } from '../../../src/platform/db/statements/connection.ts'
import {
  type Db,
  openDatabase,
  sqlState,
  violatedConstraint,
  type DatabaseOptions,
} from '../../../src/platform/db/database.ts'
import { statement, runPage } from '../../../src/platform/db/statements/statement.ts'
import { testDatabase } from '../../support/database/database.ts'

// A direct connection: a pooler may not support named statements, pipelining or session settings.
const { db, direct: connection, drop } = await testDatabase()
after(() => drop())

async function withDatabase(
  options: Partial<DatabaseOptions>,
  work: (other: Db) => Promise<void>,
): Promise<void> {
  const other = openDatabase({ connection, poolSize: 1, ...options })
  try {
    await work(other)
  } finally {
    await other.destroy()
  }
}

const agency = {
  id: '0198a000-0000-7000-8000-000000000001',
  name: 'Casa',
  slug: 'casa',
  created_at: '2026-11-20T09:30:00.500Z',
  updated_at: '2026-11-20T09:30:00.000Z',
}

test('timestamps are ISO 8601 in UTC with milliseconds, equal to the written ones', async () => {
  await db.insertInto('agencies').values(agency).execute()
  const row = await db.selectFrom('agencies').select(['created_at', 'updated_at']).executeTakeFirstOrThrow()
  assert.deepEqual(row, { created_at: '2026-11-20T09:30:00.500Z', updated_at: '2026-11-20T09:30:00.000Z' })
})

const moments: readonly [string, string][] = [
  ['2026-11-20 09:30:00.123456+00', '2026-11-20T09:30:00.123Z'],
  ['2026-11-20 09:30:00.12+00', '2026-11-20T09:30:00.120Z'],
  ['2026-11-20 09:30:00+00', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20 09:30:00.5-03', '2026-11-20T12:30:00.500Z'],
  ['2026-02-28 22:00:00-03', '2026-03-01T01:00:00.000Z'],
]
for (const zone of ['UTC', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata']) {
  test(`timestamps do not depend on the session's time zone: ${zone}`, async () => {
    await withDatabase({ connection: { ...connection, options: `-c timezone=${zone}` } }, async (other) => {
      for (const [written, read] of moments) {
        const { rows } = await sql`select ${written}::timestamptz as at`.execute(other)
        assert.deepEqual(rows, [{ at: read }])
      }
    })
  })
}

test('numbers arrive as numbers, bytes as buffers, null as null', async () => {
  const { rows } = await sql`
    select 120000.50::numeric(15, 2) as numeric, 9007199254740991::bigint as bigint, count(*) as count, 1::smallint as small,
      -34.6::double precision as double, null::numeric as nothing, '\\x00ff'::bytea as bytes,
      array['a', 'b'] as texts, '{"a": 1}'::jsonb as json`.execute(db)
  assert.deepEqual(rows, [
    {
      numeric: 120_000.5,
      bigint: Number.MAX_SAFE_INTEGER,
      count: 1,
      small: 1,
      double: -34.6,
      nothing: null,
      bytes: Buffer.from([0, 255]),
      texts: ['a', 'b'],
      json: { a: 1 },
    },
  ])
})

test('text arrays arrive as they were sent', async () => {
  const piece = fc.constantFrom('a', 'ñ', ' ', ',', '"', '\\', '{', '}', 'NULL', 'null', "'", '\n', '🏠')
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 5 }), async (texts) => {
      const { rows } = await sql`select ${texts}::text[] as texts`.execute(db)
      assert.deepEqual(rows, [{ texts }])
    }),
    { numRuns: 200 },
  )
})

const double = statement<{ doubled: number }>('select $1::int * 2 as doubled')
const prepared = sql<{ name: string; statement: string }>`select name, statement from pg_prepared_statements`

test('only hot statements are prepared by name, once per connection', async () => {
  await withDatabase({}, async (other) => {
    assert.deepEqual(await double(other, [21]), [{ doubled: 42 }])
    assert.deepEqual(await double(other, [4]), [{ doubled: 8 }])
    await other.selectFrom('agencies').select('id').execute()
    const { rows } = await prepared.execute(other)
    assert.deepEqual(
      rows.map((row) => row.statement),
      ['select $1::int * 2 as doubled'],
    )
    assert.match(String(rows[0]?.name), /^[\w-]{32}$/)
  })
})

test('hot statements are named inside a transaction too', async () => {
  await withDatabase({}, async (other) => {
    await inTransaction(other, async (tx) => {
      assert.deepEqual(await double(tx, [1]), [{ doubled: 2 }])
      const { rows } = await prepared.execute(tx)
      assert.deepEqual(
        rows.map((row) => row.statement),
        ['select $1::int * 2 as doubled'],
      )
    })
  })
})

test('behind a pooler nothing is prepared', async () => {
  await withDatabase({ namedStatements: false }, async (other) => {
    assert.deepEqual(await double(other, [21]), [{ doubled: 42 }])
    assert.deepEqual((await prepared.execute(other)).rows, [])
  })
})

test('violatedConstraint names unique and check constraints, and no other error', async () => {
  const problem = (values: object) =>
    db
      .insertInto('agencies')
      .values({ ...agency, id: '0198a000-0000-7000-8000-000000000002', slug: 'otra', ...values })
      .execute()
      .then(
        () => assert.fail('It was inserted.'),
        (error: unknown) => violatedConstraint(error),
      )
  assert.equal(await problem({ slug: agency.slug }), 'agencies_slug_key')
  assert.equal(await problem({ slug: 'Not A Slug' }), 'agencies_slug_check')
  assert.equal(await problem({ name: null }), null)
  assert.equal(violatedConstraint(new Error('no')), null)
})

test('violatedConstraint omits the shard’s number, even when only the message has the name', () => {
  const named = (message: string, constraint?: string) =>
    violatedConstraint(
      Object.assign(new DatabaseError(message, 0, 'error'), {
        code: '23505',
        ...(constraint && { constraint }),
      }),
    )
  const message = (name: string) => `duplicate key value violates unique constraint "${name}"`
  const name = 'agency_revisions_pkey_102021'
  assert.equal(named(message(name), name), 'agency_revisions_pkey')
  assert.equal(named(message('agencies_slug_key_102008')), 'agencies_slug_key')
  assert.equal(
    named('new row for relation "agencies_102008" violates check constraint "agencies_slug_check"'),
    'agencies_slug_check',
  )
  assert.equal(named('llave duplicada viola restricción de unicidad «api_keys_pkey_102009»'), 'api_keys_pkey')
})

test('destroy closes the pool even before Kysely ran a query', async () => {
  const other = openDatabase({ connection, poolSize: 1 })
  await inTransaction(other, (tx) => sql`select 1`.execute(tx))
  await other.destroy()
  await other.destroy()
  await assert.rejects(other.connect(), /pool after calling end/)
})

test('a connection that breaks while idle is reported and replaced', async () => {
  const { promise: isReported, resolve } = Promise.withResolvers<Error>()
  await withDatabase({ onIdleError: resolve }, async (other) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other)
    await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(db)
    assert.match((await isReported).message, /terminat/)
    assert.deepEqual(await double(other, [1]), [{ doubled: 2 }])
  })
})

const divide = statement<{ n: number }>('select 100 / $1::int as n')
const divisionByZero = '22012'
const errorCode = (work: Promise<unknown>) =>
  work.then(
    () => assert.fail('It did not fail.'),
    (error: unknown) => sqlState(error),
  )
const addAgency = statement(`insert into agencies (id, name, slug, created_at, updated_at)
  values (gen_random_uuid(), 'Nadie', $1, now(), now())`)
const count = statement<{ n: number }>('select count(*)::int as n from agencies where slug = $1')

for (const namedStatements of [true, false]) {
  describe(`a transaction, ${namedStatements ? 'pipelined' : 'behind a pooler'}`, () => {
    const withOne = async <T>(work: (other: Db) => Promise<T>): Promise<T> => {
      const other = openDatabase({ connection, poolSize: 1, namedStatements })
      try {
        return await work(other)
      } finally {
        await other.destroy()
      }
    }
    const slugOf = () => `nadie-${randomUUID()}`
    const stored = async (slug: string) => (await count(db, [slug]))[0]?.n

    test('runs statements in order and returns the rows of each', async () => {
      const slug = slugOf()
      const rows = await withOne((other) =>
        inTransaction(other, (tx) =>
          tx.runAll([count.with([slug]), addAgency.with([slug]), count.with([slug]), double.with([4])]),
        ),
      )
      assert.deepEqual(rows, [[{ n: 0 }], [], [{ n: 1 }], [{ doubled: 8 }]])
      assert.equal(await stored(slug), 1)
    })

    test('throws the error of the first failed statement, and stores nothing', async () => {
      const slug = slugOf()
      const failing = (last: (tx: Tx) => Promise<unknown>) =>
        withOne((other) =>
          inTransaction(other, async (tx) => {
            await addAgency(tx, [slug])
            await last(tx)
          }),
        )
      const statements = [divide.with([1]), divide.with([0]), double.with([1])]
      assert.equal(await errorCode(failing((tx) => tx.runAll(statements))), divisionByZero)
      assert.equal(await errorCode(failing((tx) => tx.commit(statements))), divisionByZero)
      assert.equal(await stored(slug), 0)
    })

    test('throws if it was rolled back because the work swallowed a database error', async () => {
      const slug = slugOf()
      const work = withOne((other) =>
        inTransaction(other, async (tx) => {
          await addAgency(tx, [slug])
          await errorCode(divide(tx, [0]))
        }),
      )
      await assert.rejects(work, /rolled back/)
      assert.equal(await stored(slug), 0)
    })

    test('rolls back on an error of the work, and rethrows it', async () => {
      const slug = slugOf()
      const wrong = new Error('mine')
      await withOne(async (other) => {
        const work = inTransaction(other, async (tx) => {
          await addAgency(tx, [slug])
          throw wrong
        })
        await assert.rejects(work, wrong)
        assert.deepEqual(await count(other, [slug]), [{ n: 0 }])
      })
    })

    test('commits together with its last statements, once', async () => {
      const slug = slugOf()
      await withOne(async (other) => {
        await inTransaction(other, (tx) => tx.commit([addAgency.with([slug])]))
        assert.deepEqual(await count(other, [slug]), [{ n: 1 }])
      })
    })

    test('continues from a savepoint after an error', async () => {
      await withOne((other) =>
        inTransaction(other, async (tx) => {
          for (let turn = 0; turn < 2; turn += 1) {
            await sql`savepoint item`.execute(tx)
            assert.equal(await errorCode(divide(tx, [0])), divisionByZero)
            await sql`rollback to savepoint item`.execute(tx)
          }
          assert.deepEqual(await double(tx, [3]), [{ doubled: 6 }])
        }),
      )
    })

    test('without statements leaves its connection usable', async () => {
      await withOne(async (other) => {
        await inTransaction(other, async () => {})
        await assert.rejects(inTransaction(other, () => Promise.reject(new Error('mine'))))
        assert.deepEqual(await double(other, [3]), [{ doubled: 6 }])
      })
    })
  })
}

test('a connection is closed after a named statement was rejected before parsing', async () => {
  const later = statement<{ n: number }>('select $1::int + 1 as n')
  const pidOf = async (other: Db) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(other)).rows[0]?.pid
  await withDatabase({}, async (other) => {
    const before = await pidOf(other)
    assert.equal(await errorCode(inTransaction(other, (tx) => divide(tx, [0]))), divisionByZero)
    assert.equal(await pidOf(other), before)
    const failing = inTransaction(other, (tx) => tx.runAll([divide.with([0]), later.with([1])]))
    assert.equal(await errorCode(failing), divisionByZero)
    assert.notEqual(await pidOf(other), before)
    assert.deepEqual(await later(other, [1]), [{ n: 2 }])
  })
})

test('slow statements are logged', async () => {
  const logged: string[] = []
  const slow = (ms: number) => ({ ms, log: (_took: number, text: string) => void logged.push(text) })
  await withDatabase({ slow: slow(0) }, async (other) => {
    await sql`select   1`.execute(other)
    await assert.rejects(other.run({ text: 'select 1 / 0', values: [] }))
  })
  await withDatabase({ slow: slow(60_000) }, (other) =>
    other.run({ text: 'select 2', values: [] }).then(() => {}),
  )
  assert.deepEqual(logged, ['select 1', 'select 1 / 0'])
})

test('an error names its statement', async () => {
  await assert.rejects(divide(db, [0]), { statement: 'select 100 / $1::int as n' })
})

describe('pages that read the database', () => {
  const backend = statement<{ pid: number }>('select pg_backend_pid() as pid').with([])

  test('share two connections of the pool, and each gets its own rows', async () => {
    await withDatabase({ poolSize: 10 }, async (other) => {
      const pids = await Promise.all(Array.from({ length: 30 }, () => runPage(other, backend)))
      assert.equal(new Set(pids.map(([row]) => row?.pid)).size, 2)
      const numbers = Array.from({ length: 30 }, (_, number) => number)
      const rows = await Promise.all(
        numbers.map((number) => runPage(other, { text: 'select $1::int as number', values: [number] })),
      )
      assert.deepEqual(
        rows,
        numbers.map((number) => [{ number }]),
      )
    })
  })

  test('leave a connection to others, but use the only one there is', async () => {
    for (const poolSize of [1, 2]) {
      await withDatabase({ poolSize }, async (other) => {
        await inTransaction(other, async (tx) => {
          const [own] = await tx.run(backend)
          if (poolSize === 1) return
          const [row] = await runPage(other, backend)
          assert.notEqual(row?.pid, own?.pid)
        })
        const pids = await Promise.all(Array.from({ length: 10 }, () => runPage(other, backend)))
        assert.equal(new Set(pids.map(([row]) => row?.pid)).size, 1)
      })
    }
  })

  test('fail separately: an invalid statement leaves the others their rows', async () => {
    await withDatabase({ poolSize: 3 }, async (other) => {
      const wrong = { text: 'select 1 / $1::int', values: [0] }
      const outcomes = await Promise.allSettled([backend, wrong, backend].map((one) => runPage(other, one)))
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
    })
  })
})
