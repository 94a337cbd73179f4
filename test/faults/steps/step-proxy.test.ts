/** Each statement and connection fails in each way, and the client sees what it would see of PostgreSQL. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Db, openDatabase, sqlState } from '../../../src/platform/db/database.ts'
import { statement } from '../../../src/platform/db/statements/statement.ts'
import { inTransaction } from '../../../src/platform/db/statements/transaction.ts'
import { testDatabase, type TestDatabase } from '../../support/database/database.ts'
import { type StepProxy, stepProxy } from './step-proxy.ts'
import { newSteps } from './steps.ts'
// not on Citus: counts statements

const steps = newSteps()
const insert = statement('insert into noted values ($1)')
const count = statement<{ count: number }>('select count(*)::int as count from noted')

let database: TestDatabase
let proxy: StepProxy
let db: Db
before(async () => {
  database = await testDatabase()
  proxy = await stepProxy(database.direct, steps)
  db = openDatabase({ connection: proxy.connection, poolSize: 1 })
})
after(async () => {
  await db.destroy()
  proxy.close()
  await database.drop()
})
beforeEach(async () => {
  const client = new pg.Client(database.direct)
  await client.connect()
  await client.query('create table if not exists noted (number int); truncate noted')
  await client.end()
  await db.run(count.with([]))
})

const noted = async () => (await db.run(count.with([])))[0]?.count
/** Inserts two rows and commits: four steps in two packets. */
const insertTwo = () =>
  inTransaction(db, async (tx) => {
    await tx.runAll([insert.with([1]), insert.with([2])])
    await tx.commit()
  })

describe('statements through the proxy', () => {
  test('are counted one by one, although they share packets', async () => {
    steps.arm()
    await insertTwo()
    const { names } = steps.disarm()
    assert.deepEqual(names, [
      'begin',
      'insert into noted values ($1)',
      'insert into noted values ($1)',
      'commit',
    ])
    assert.equal(await noted(), 2)
  })

  for (const number of [2, 3, 4]) {
    test(`a rejected one fails with PostgreSQL's error and rolls back: ${number}`, async () => {
      steps.arm(number, 'rejected')
      await assert.rejects(insertTwo(), (error) => sqlState(error) === '53100')
      assert.ok(steps.disarm().hasFailed)
      assert.equal(await noted(), 0)
      await insertTwo()
      assert.equal(await noted(), 2)
    })
  }

  for (const number of [1, 2, 3, 4]) {
    test(`the connection is cut before one: ${number}`, async () => {
      steps.arm(number, 'cut before')
      await assert.rejects(insertTwo(), (error) => sqlState(error) === null)
      assert.ok(steps.disarm().hasFailed)
      assert.equal(await noted(), 0)
    })

    test(`the connection is cut after one: ${number}`, async () => {
      steps.arm(number, 'cut after')
      await assert.rejects(insertTwo(), (error) => sqlState(error) === null)
      assert.ok(steps.disarm().hasFailed)
      assert.equal(await noted(), number === 4 ? 2 : 0)
    })
  }

  test('a rejected `begin` stops the builder, whose statements would commit alone', async () => {
    steps.arm(1, 'rejected')
    const inserting = inTransaction(db, (tx) => sql`insert into noted values (1)`.execute(tx))
    await assert.rejects(inserting, (error) => sqlState(error) === '53100')
    assert.deepEqual(steps.disarm().names, ['begin', 'rollback'])
    assert.equal(await noted(), 0)
  })

  test('a connection whose rollback is rejected is not used again', async () => {
    steps.arm(3, 'rejected')
    const failing = inTransaction(db, async (tx) => {
      await tx.run(insert.with([1]))
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.equal(await noted(), 0)
    assert.deepEqual(steps.disarm().names.slice(2, 4), ['rollback', 'connect'])
  })
})

describe('connections through the proxy', () => {
  for (const way of ['rejected', 'cut before', 'cut after'] as const) {
    test(`one fails, the next works: ${way}`, async () => {
      await proxy.closeConnections()
      steps.arm(1, way)
      await assert.rejects(db.run(insert.with([1])), (error: Error & { code?: string }) => {
        assert.equal(error.code === '53300', way === 'rejected', error.stack ?? '')
        return true
      })
      assert.deepEqual(steps.disarm(), { names: ['connect'], hasFailed: true })
      assert.equal(await noted(), 0)
    })
  }
})
