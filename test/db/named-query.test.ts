/**
 * Statements sent by name give what the driver's own queries give, the first time and every other.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { isSpoiled, type NamedStatement, queryByName, whenAnswered } from '../../src/db/named-query.ts'
import { rowTypes } from '../../src/db/values.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let client: pg.Client
before(async () => {
  database = await testDatabase()
  client = new pg.Client({ ...database.direct, types: rowTypes, pipeline: true } as pg.ClientConfig)
  await client.connect()
})
after(async () => {
  await client.end()
  await database.drop()
})

/** Sends one by itself. @returns its rows */
async function ask(to: pg.Client, name: string, text: string, values: readonly unknown[]) {
  const [rows] = await queryByName(to, [{ name, text, values }])
  return rows as object[]
}

const everyType = `
  select n::int as number, n::bigint as large, (n / 4.0)::numeric(9, 2) as amount, n::double precision as double, n > 1 as truth,
    'texto ' || n as text, array['a "b"', null, n::text] as texts, '{}'::text[] as none, jsonb_build_object('n', n) as json,
    '2026-11-20 09:30:00.25+00'::timestamptz as at, '\\x00ff'::bytea as bytes, gen_random_uuid() is null as never,
    null::text as no_text, null::int as no_number, null::jsonb as no_json, n as "a name with ""quotes"" and \\"
  from generate_series(1, $1::int) n`

describe('a named statement', () => {
  it('gives the rows that an unnamed one gives, and gives them again', async () => {
    const { rows } = await client.query(everyType, [3])
    assert.equal(rows.length, 3)
    for (const count of [3, 3, 0, 3]) {
      const answer = await ask(client, 'every-type', everyType, [count])
      assert.deepEqual(
        answer.map((row) => ({ ...row })),
        rows.slice(0, count).map((row: object) => ({ ...row })),
      )
    }
  })

  it('gives each its own rows when several are under way, the first of all times too', async () => {
    const text = 'select n::int as n, $1::text as name from generate_series(1, 2) n'
    const names = ['one', 'two', 'three']
    const answers = await Promise.all(names.map((name) => ask(client, 'at-once', text, [name])))
    assert.deepEqual(
      answers,
      names.map((name) => [
        { n: 1, name },
        { n: 2, name },
      ]),
    )
  })

  it('that gives no rows is carried out each time', async () => {
    await client.query('create temporary table written (n int)')
    for (const n of [1, 2, 3]) {
      assert.deepEqual(await ask(client, 'writes', 'insert into written values ($1)', [n]), [])
    }
    const { rows } = await client.query('select array_agg(n order by n)::text as all from written')
    assert.deepEqual(rows[0], { all: '{1,2,3}' })
  })

  it('that fails says which it was, and leaves the connection as it is', async () => {
    const text = 'select   1 / $1::int\n as quotient'
    await ask(client, 'divides', text, [1])
    await assert.rejects(ask(client, 'divides', text, [0]), {
      code: '22012',
      statement: 'select 1 / $1::int as quotient',
    })
    assert.deepEqual(await ask(client, 'divides', text, [1]), [{ quotient: 1 }])
    await assert.rejects(ask(client, 'unknown', 'select nothing', []), { code: '42703' })
  })

  it('whose value cannot be read fails, and the next is answered', async () => {
    const failing = new pg.Client({
      ...database.direct,
      types: {
        getTypeParser: () => () => {
          throw new Error('not to be read')
        },
      },
    } as pg.ClientConfig)
    await failing.connect()
    try {
      for (let count = 0; count < 2; count += 1) {
        await assert.rejects(ask(failing, 'unreadable', 'select 1::int as n', []), /not to be read/)
        assert.deepEqual(await ask(failing, 'readable', "select 'a'::text as a", []), [{ a: 'a' }])
      }
    } finally {
      await failing.end()
    }
  })

  it('follows a column whose type changes between two connections', async () => {
    const text = 'select n from changing'
    await client.query("create table changing as select '1'::text as n")
    const read = async () => {
      const other = new pg.Client({ ...database.direct, types: rowTypes } as pg.ClientConfig)
      await other.connect()
      try {
        return await ask(other, 'changing', text, [])
      } finally {
        await other.end()
      }
    }
    assert.deepEqual(await read(), [{ n: '1' }])
    await client.query('alter table changing alter column n type bigint using n::bigint')
    assert.deepEqual(await read(), [{ n: 1 }])
  })
})

describe('named statements in a row', () => {
  const of = (name: string, text: string, ...values: unknown[]): NamedStatement => ({ name, text, values })
  const open = async () => {
    const own = new pg.Client({ ...database.direct, types: rowTypes, pipeline: true } as pg.ClientConfig)
    await own.connect()
    await own.query('create temporary table kept (n int)')
    return own
  }
  const begin = of('begin', 'begin')
  const keep = (n: unknown) => of('keep', 'insert into kept values ($1)', n)
  const divide = (n: number) => of('divide', 'select 10 / $1::int as n', n)
  const commit = of('commit', 'commit')
  const all = of('all', 'select array_agg(n order by n)::text as all from kept')

  it('run one after the other, in one transaction where they say so; each has its rows', async () => {
    const own = await open()
    for (const n of [1, 2]) {
      const answers = await queryByName(own, [begin, keep(n), divide(5), divide(2), all, commit])
      assert.deepEqual(answers, [[], [], [{ n: 2 }], [{ n: 5 }], [{ all: n === 1 ? '{1}' : '{1,2}' }], []])
    }
    assert.equal(isSpoiled(own), false)
    await own.end()
  })

  it('stop at the first that fails, which is the one that is told', async () => {
    const own = await open()
    await queryByName(own, [begin, keep(1), divide(1), all, commit])
    const failing = queryByName(own, [begin, keep(2), divide(0), keep(3), commit])
    // What was sent behind it is refused, as the transaction has failed.
    const behind = queryByName(own, [all])
    await assert.rejects(failing, { code: '22012', statement: 'select 10 / $1::int as n' })
    await assert.rejects(behind, { code: '25P02' })
    await own.query('rollback')
    assert.deepEqual(await queryByName(own, [all]), [[{ all: '{1}' }]])
    await own.end()
  })

  it('tell that one was not even parsed, and work on', async () => {
    const own = await open()
    await assert.rejects(queryByName(own, [divide(0), all]), { code: '22012' })
    assert.equal(isSpoiled(own), true)
    assert.deepEqual(await queryByName(own, [divide(5), all]), [[{ n: 2 }], [{ all: null }]])
    await own.end()
  })

  it('fail where a value cannot be sent, and carry out none from there', async () => {
    const own = await open()
    const loop: unknown[] = [{}]
    ;(loop[0] as { loop?: unknown }).loop = loop[0]
    const behind = async () => {
      await assert.rejects(queryByName(own, [divide(5), keep(loop[0]), all]), /circular/)
      return queryByName(own, [divide(2), keep(1), all])
    }
    assert.deepEqual(await behind(), [[{ n: 5 }], [], [{ all: '{1}' }]])
    await own.end()
  })

  it('fail where the connection is lost', async () => {
    const own = await open()
    own.on('error', () => {})
    const { rows } = await own.query('select pg_backend_pid() as pid')
    const lost = assert.rejects(queryByName(own, [begin, of('sleep', 'select pg_sleep(60)')]))
    await client.query('select pg_terminate_backend($1)', [rows[0].pid])
    await lost
    await assert.rejects(queryByName(own, [all]))
  })
})

describe('whenAnswered', () => {
  it('is called when the answer has come, or the error', async () => {
    const heard: unknown[] = []
    const Watched = class extends pg.Client {
      override query(...call: readonly unknown[]): never {
        const answer: unknown = Reflect.apply(super.query, this, call)
        whenAnswered(answer, (error) => heard.push(error === null ? null : (error as pg.DatabaseError).code))
        return answer as never
      }
    }
    const watched = new Watched(database.direct)
    await watched.connect()
    await ask(watched, 'fine', 'select 1 as n', [])
    await assert.rejects(ask(watched, 'divides', 'select 1 / $1::int', [0]))
    await watched.query('select 1')
    await assert.rejects(watched.query('select nothing') as Promise<unknown>)
    assert.deepEqual(heard, [null, '22012', null, '42703'])
    await watched.end()
  })
})
