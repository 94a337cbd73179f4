// Passwords: how they are kept and which are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPassword, hashPassword, isPassword } from '../../src/accounts/password.ts'
import { ApiError } from '../../src/errors.ts'

test('a password is told from others, and two hashes of it differ', async () => {
  const [one, two] = await Promise.all([hashPassword('una clave larga'), hashPassword('una clave larga')])
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, two)
  assert.equal(await isPassword('una clave larga', one), true)
  assert.equal(await isPassword('una clave largA', one), false)
  assert.equal(await isPassword('', one), false)
})

test('one text typed in two ways is one password', async () => {
  assert.equal(await isPassword('contrasen\u0303a', await hashPassword('contrase\u00f1a')), true)
})

test('nobody has no password', async () => {
  assert.equal(await isPassword('', null), false)
  assert.equal(await isPassword('anything at all', null), false)
})

const refused: Record<string, readonly string[]> = {
  password_short: ['', 'corta', '123456789', 'ñññññññññ'],
  password_long: ['x1'.repeat(101)],
  password_common: [
    'password123456',
    'Contraseña2026!',
    'aaaaaaaaaaaa',
    '0123456789',
    'ana.perez99',
    'ana.perez@rio.example',
    `lone \ud800 surrogate`,
  ],
}
for (const [reason, passwords] of Object.entries(refused)) {
  test(`${reason}: ${passwords.length} refused`, () => {
    for (const password of passwords) {
      assert.throws(
        () => checkPassword(password, 'ana.perez@rio.example'),
        (error) => error instanceof ApiError && error.parameter === 'password' && error.reason === reason,
        password,
      )
    }
  })
}

test('others are taken', () => {
  for (const password of ['una clave larga', 'Tr0ub4dor&3x', 'correct horse battery', '🐎🔋🪜🌳🏠🚪🪟🛏🍽🧹'])
    assert.equal(checkPassword(password, 'ana.perez@rio.example'), password)
})
