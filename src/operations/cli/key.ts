/** `key …`: makes, lists, rotates and revokes keys (api.md 2.5). */
import { inTransaction } from '../../platform/db/transaction.ts'
import { notifyOwners } from '../../access/accounts/notices.ts'
import type { Agency } from '../../agencies/agencies.ts'
import { findTwin, originalOf } from '../../agencies/twins.ts'
import { databaseClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Tx } from '../../platform/db/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { mayWrite } from '../../access/keys/key-rules.ts'
import {
  createKey,
  findKeyAgencyId,
  getKey,
  type KeyDeps,
  listKeys,
  type NewKey,
  planKey,
  revokeKey,
  rotateKey,
} from '../../access/keys/keys.ts'
import { loadSecretKey, openSecretBox } from '../../access/keys/secret-box.ts'
import { noteHere } from './command-line.ts'
import { CommandError, type Run } from './command.ts'
import { withDatabase } from './database.ts'
import { getNamedAgency } from './named-agency.ts'
import { fields, table } from './layout.ts'

export const create: Run = (input, context) =>
  withDatabase(context, async ({ db, config, log }) => {
    const agency = await getNamedAgency(db, input.text('agency'))
    const wanted = {
      name: input.text('name').trim(),
      scopes: input.list('scope'),
      expires_at: input.optional('expires'),
      allowed_origins: input.list('origin'),
      signature_required: input.isSet('signature-required'),
    }
    const deps = await keyDeps(config)
    const make = async (tx: Tx, { id }: Agency): Promise<NewKey> => {
      const key = await createKey(tx, id, wanted, deps)
      await noteHere(tx, 'key_created', agency.id, `${key.prefix}…`, { name: wanted.name })
      await tellOfKey(tx, id, key, wanted.name)
      return key
    }
    const makeTest = async (): Promise<NewKey> => {
      await planKey(db, wanted, 'test', databaseClock)
      const { withTwinHere } = await import('./test-environment.ts')
      return await withTwinHere({ config, db, log }, agency, make)
    }
    const makeLive = () => inTransaction(db, (tx) => make(tx, agency))
    const made = await namingOptions(input.isSet('test') ? makeTest() : makeLive())
    return { json: made, text: `Key created. It is shown only now, so save it.\n\n${shown(made)}` }
  })

export const list: Run = (input, context) =>
  withDatabase(context, async ({ db }) => {
    const agency = await getNamedAgency(db, input.text('agency'))
    const twin = await findTwin(db, agency.id)
    const live = await listKeys(db, agency.id, databaseClock)
    const test = twin === null ? [] : await listKeys(db, twin.id, databaseClock)
    const keys = [...live, ...test]
    const rows = keys.map((key) => [
      key.id,
      `${key.prefix}…`,
      key.name,
      key.status,
      key.scopes.join(' '),
      key.expires_at ?? 'never',
      key.signature_required ? 'required' : 'no',
      key.allowed_origins.join(' '),
    ])
    const headings = ['ID', 'KEY', 'NAME', 'STATUS', 'SCOPES', 'EXPIRES', 'SIGNATURE', 'ORIGINS']
    return { json: keys, text: table(headings, rows, 'The agency has no keys yet.') }
  })

export const rotate: Run = ({ positionals: [id = ''] }, context) =>
  withDatabase(context, async ({ db, config }) => {
    const agencyId = await getKeyAgencyId(db, id)
    const deps = await keyDeps(config)
    const made = await inTransaction(db, async (tx) => {
      const key = await rotateKey(tx, agencyId, id, deps)
      const old = await getKey(tx, agencyId, id.toLowerCase(), databaseClock)
      await noteHere(tx, 'key_rotated', await originalOf(tx, agencyId), `${old.prefix}…`, {
        new: `${key.prefix}…`,
      })
      await tellOfKey(tx, agencyId, key, old.name)
      return key
    })
    return {
      json: { ...made, replaces: id.toLowerCase() },

      text: [
        `Key created. It is shown only now, so save it.\n\n${shown(made)}\n`,
        'The old key still works. Revoke it once the new one is in use:',
        `  npm run -s svc -- key revoke ${id}`,
      ].join('\n'),
    }
  })

export const revoke: Run = ({ positionals: [id = ''] }, context) =>
  withDatabase(context, async ({ db }) => {
    const agencyId = await getKeyAgencyId(db, id)
    const revoked = await inTransaction(db, async (tx) => {
      const key = await revokeKey(tx, agencyId, id, databaseClock)
      await noteHere(tx, 'key_revoked', await originalOf(tx, agencyId), `${key.prefix}…`, { name: key.name })
      return key
    })
    return {
      json: revoked,
      text: `Key "${revoked.name}" (${revoked.prefix}…) was revoked at ${revoked.revoked_at}.`,
    }
  })

/** Replaces the field names of an error by the options' names. @throws CommandError; the promise's other errors */
async function namingOptions<T>(made: Promise<T>): Promise<T> {
  try {
    return await made
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_parameter') throw error
    const { message } = error
    throw new CommandError(message.replaceAll(/^name\b/g, '--name').replaceAll('expires_at', '--expires'))
  }
}

/** Notifies the owners of every new key that can write, including keys of the operator. */
async function tellOfKey(tx: Tx, agencyId: string, made: NewKey, name: string): Promise<void> {
  if (!mayWrite(made.scopes)) return
  const { id: key_id, prefix } = made
  await notifyOwners(tx, agencyId, { kind: 'writing_key', by: null, key_id, name, prefix }, databaseClock)
}

async function keyDeps(config: Config): Promise<KeyDeps> {
  const secretBox = openSecretBox(await loadSecretKey(config))
  return { secretBox, clock: databaseClock, serviceName: config.serviceName }
}

async function getKeyAgencyId(db: Db, id: string): Promise<string> {
  const agencyId = isUuid(id) ? await findKeyAgencyId(db, id) : null
  if (agencyId === null) {
    throw new ApiError('not_found', {
      message: `No key has the id "${id}". See: npm run -s svc -- key list --agency SLUG`,
    })
  }
  return agencyId
}

function shown(made: NewKey): string {
  return fields([
    ['key', made.key],
    ...(made.signing_secret === undefined ? [] : [['signing secret', made.signing_secret] as const]),
    ['id', made.id],
    ['scopes', made.scopes.join(' ')],
    ['expires', made.expires_at ?? 'never'],
  ])
}
