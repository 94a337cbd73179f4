/**
 * The keys and people of the demonstration, created in the transaction that records it as complete. They are encrypted in the
 * database, because every start prints them again.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAccount } from '../access/accounts/accounts.ts'
import { inHashingSlot } from '../access/accounts/passwords/hashing.ts'
import { hashPassword } from '../access/accounts/passwords/password.ts'
import { type Agency, agencyUrl } from '../agencies/agencies.ts'
import type { Tx } from '../platform/db/statements/connection.ts'
import { statement } from '../platform/db/statements/statement.ts'
import type { Deps } from '../deps.ts'
import { createKey } from '../access/keys/keys.ts'
import type { PictureMemory } from './pictures.ts'
import { withTwin } from './test-environment.ts'
import type { Config } from '../platform/config/config.ts'

/** The keys of the first agency, and the people who can sign in. */
export type DemoKeys = {
  agency: string
  read: string
  write: string
  /** A test key of the same agency; older demonstrations have none. */
  test?: string
  owner: DemoPerson
  operator: DemoPerson
}
type DemoPerson = { email: string; password: string }

/** Locks the mark, so that only one of several processes creates the keys. */
const lockMark = statement<{ sealed_keys: Buffer | null }>('select sealed_keys from demonstration for update')

/** Records the fill as complete, with its keys. */
const finishMark = statement(`
  update demonstration set finished_at = clock_timestamp(), listings = '{}', sealed_keys = $1`)

const setPassword = statement('update accounts set password_hash = $2 where id = $1')

/** Creates keys and people and records the fill as complete, or returns those of a process that was faster. */
export async function finishWithKeys(deps: Deps, agency: Agency, pictures: PictureMemory) {
  const finish = async (tx: Tx, twin: Agency): Promise<DemoKeys | null> => {
    const [mark] = await lockMark(tx, [])
    if (mark?.sealed_keys != null) return openKeys(deps, mark.sealed_keys)
    const keys: DemoKeys = {
      agency: agency.slug,
      read: await makeKey(deps, tx, agency, 'Sitio web (demo)', 'properties:read'),
      write: await makeKey(deps, tx, agency, 'CRM (demo)', 'properties:write'),
      test: await makeKey(deps, tx, twin, 'Prueba (demo)', 'properties:write'),
      owner: await makePerson(deps, tx, 'Ana Ribera', `ana@${agency.slug}.example`, agency.id),
      operator: await makePerson(deps, tx, 'Olga Operadora', 'olga@operador.example', null),
    }
    await finishMark(tx, [deps.secretBox.seal(JSON.stringify(keys))])
    return keys
  }
  return await withTwin(deps, agency, finish, pictures)
}

/** @returns null if they were encrypted with another SECRET_KEY: then create keys on the command line */
export function openKeys({ secretBox }: Deps, sealed: Buffer): DemoKeys | null {
  try {
    return JSON.parse(secretBox.open(sealed)) as DemoKeys
  } catch {
    return null
  }
}

/** Reads the keys of older versions, which kept them in a file. */
export async function readOlderKeys(deps: Deps): Promise<DemoKeys | null> {
  const file = join(deps.config.dataDir, 'demo-keys.sealed')
  const keys = await readFile(file).then(
    (sealed) => openKeys(deps, sealed),
    () => null,
  )
  return keys?.owner === undefined ? null : keys
}

async function makeKey(deps: Deps, tx: Tx, agency: Agency, name: string, scope: string): Promise<string> {
  const { secretBox, clock, config } = deps
  const made = await createKey(
    tx,
    agency.id,
    { name, scopes: [scope as 'properties:read'] },
    { secretBox, clock, serviceName: config.serviceName },
  )
  return made.key
}

/** Creates a person with a random password, ready to sign in. */
async function makePerson({ clock }: Deps, tx: Tx, name: string, email: string, agencyId: string | null) {
  const role = agencyId === null ? 'operator' : 'owner'
  const { id } = await createAccount(tx, { email, name, agencyId, role }, clock)
  const password = `demo-${randomBytes(9).toString('base64url')}`
  const hash = await inHashingSlot({ ip: '', isStranger: false }, (derive) => hashPassword(derive, password))
  await setPassword(tx, [id, hash])
  return { email, password }
}

/** The text of a demonstration start: URLs, sign-ins, keys, and a command to paste. */
export function greeting({ publicBaseUrl, serviceName }: Config, keys: DemoKeys): string {
  const testLine = keys.test === undefined ? '' : `  Key to try      ${keys.test}\n`
  return `
${serviceName} listens on ${publicBaseUrl}

  Documentation   ${publicBaseUrl}/docs
  Dashboard       ${publicBaseUrl}/dashboard
    agency        ${keys.owner.email}  ${keys.owner.password}
    operator      ${keys.operator.email}  ${keys.operator.password}
  Agency          ${keys.agency}
  Public page     ${agencyUrl(publicBaseUrl, keys.agency)}
  Key to read     ${keys.read}
  Key to write    ${keys.write}
${testLine}
Paste this into another terminal:

  curl -s -H "Authorization: Bearer ${keys.read}" "${publicBaseUrl}/api/v1/properties?per_page=3&fields=id,title,price"

Press Ctrl-C to stop. The data is kept, and the next start prints this again.
`
}
