/** Errors of a database whose disk is full, failing or read-only are its fault, not the request's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { isDatabaseDown } from '../../../../src/platform/db/presence/is-database-down.ts'

const errorOf = (fields: Partial<pg.DatabaseError>) =>
  Object.assign(new pg.DatabaseError('…', 1, 'error'), { severity: 'ERROR', ...fields })

for (const [what, fields, isDown] of [
  ['a full disk', { code: '53100' }, true],
  ['a failing disk', { code: '58030' }, true],
  ['a read-only disk', { code: '42501', file: 'md.c' }, true],
  ['a missing permission', { code: '42501', file: 'aclchk.c' }, false],
  ['a server that restarts', { severity: 'PANIC', code: '42501', file: 'xlog.c' }, true],
  ['a bug', { code: '42703' }, false],
] as const) {
  test(`${what} means that the database is ${isDown ? 'down' : 'not down'}`, () => {
    assert.equal(isDatabaseDown(errorOf(fields)), isDown)
  })
}
