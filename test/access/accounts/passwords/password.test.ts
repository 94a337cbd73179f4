/** Passwords: hashing, and which ones are rejected. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inHashingSlot } from '../../../../src/access/accounts/passwords/hashing.ts'
import {
  checkPassword,
  hashPassword,
  matchesHash,
} from '../../../../src/access/accounts/passwords/password.ts'
import { ApiError } from '../../../../src/platform/errors/errors.ts'

const hashed = (text: string): Promise<string> =>
  inHashingSlot({ ip: '127.0.0.1', isStranger: true }, (derive) => hashPassword(derive, text))
const matches = (text: string, hash: string | null): Promise<boolean> =>
  inHashingSlot({ ip: '127.0.0.1', isStranger: true }, (derive) => matchesHash(derive, text, hash))

test('the hash of a password matches only that password, and hashing it twice gives two hashes', async () => {
  const [one, two] = await Promise.all([hashed('una clave larga'), hashed('una clave larga')])
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(one, two)
  assert.equal(await matches('una clave larga', one), true)
  assert.equal(await matches('una clave largA', one), false)
  assert.equal(await matches('', one), false)
})

test('two Unicode forms of the same text are the same password', async () => {
  assert.equal(await matches('contrasen\u0303a', await hashed('contrase\u00f1a')), true)
})

test('an account without a password matches no password', async () => {
  assert.equal(await matches('', null), false)
  assert.equal(await matches('anything at all', null), false)
})

const about = ['Río Propiedades', 'rio', 'Ana Pérez', 'ana.perez', 'mail.example']
const refused: Record<string, readonly string[]> = {
  password_short: ['', 'corta', '123456789', 'ñññññññññ'],
  password_long: ['x1'.repeat(101)],
  password_odd: ['lone \ud800 surrogate'],
  password_common: [
    'password123456',
    'p4ssw0rd$2026',
    'Contraseña2026!',
    'contrasena.segura',
    'Inmobiliaria.2026',
    'Boca Juniors 1905',
    'riverplate2024',
    'BuenosAires123!',
    'Mendoza.2025!',
    'Agosto2026!',
    'qwertyuiop12',
    '1q2w3e4r5t6y',
    'hunter2hunter2',
    'holaholahola',
    'aaaaaaaaaaaa',
    '0123456789',
    `${'a'.repeat(150)}`,
  ],
  password_names: [
    'ana.perez99',
    'AnaPérez1985!',
    'Perez.Ana.1985',
    'ana.perez@mail.example',
    'RioPropiedades',
    'Río Propiedades 2026',
    'R10Pr0p13d4d3s2026',
    'AnaPerez.Rio.2026',
  ],
}
for (const [reason, passwords] of Object.entries(refused)) {
  for (const password of passwords) {
    test(`a password is refused as ${reason}: ${password.slice(0, 30)}`, async () => {
      await assert.rejects(
        checkPassword(password, about),
        (error) => error instanceof ApiError && error.parameter === 'password' && error.reason === reason,
      )
    })
  }
}

test('other passwords are accepted', async () => {
  for (const password of [
    'una clave larga',
    'Tr0ub4dor&3x',
    'correct horse battery',
    'mi perro come alfajores',
    'kT9$vQ2!mZ',
    '🐎🔋🪜🌳🏠🚪🪟🛏🍽🧹',
    'a long one '.repeat(18),
  ])
    assert.equal(await checkPassword(password, about), password)
})

test('a password may contain names of other people, and names too short to be guessable', async () => {
  assert.equal(
    await checkPassword('Rivadavia y Anchorena', ['', 'A', 'Al', 'de', '@']),
    'Rivadavia y Anchorena',
  )
})
