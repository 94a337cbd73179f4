/** `key …`: makes, lists, rotates and revokes keys (api.md 2.5). */
import { inTransaction } from '../../../platform/db/statements/transaction.ts'
import { notifyOwners } from '../../../access/accounts/mails/notices.ts'
import { type Agency, getAgencyById } from '../../../agencies/agencies.ts'
import { findTwin } from '../../../agencies/twins.ts'
import { realAgencyId } from '../../../limits/real-agency.ts'
import { databaseClock } from '../../../platform/time/clock.ts'
import { svcCommand } from '../../../platform/program/svc-command.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import type { Db } from '../../../platform/db/database.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { isUuid } from '../../../platform/names/ids.ts'
import { hasWriteScope } from '../../../access/keys/key-rules.ts'
import {
  createKey,
  findKeyAgencyId,
  findKeysByText,
  getKey,
  type KeyDeps,
  type ListedKey,
  listKeys,
  type NewKey,
  planKey,
  revokeKey,
  rotateKey,
} from '../../../access/keys/keys.ts'
import { loadSecretBox } from '../../../access/secrets/secret-keys.ts'
import { CommandError } from '../command.ts'
import { getNamedAgency, auditCommand, onDatabase, readingDatabase, readingUnless } from '../open.ts'
import { fields, listed } from '../output.ts'

export const create = onDatabase(async (input, open) => {
  const { db, config } = open
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
    await auditCommand(tx, 'key_created', agency.id, `${key.prefix}…`, { name: wanted.name })
    await notifyOfKey(tx, id, key, wanted.name)
    return key
  }
  const makeTest = async (): Promise<NewKey> => {
    await planKey(db, wanted, 'test', databaseClock)
    const [{ withDeps }, { withTwin }] = await Promise.all([
      import('./demo.ts'),
      import('../../../samples/test-environment.ts'),
    ])
    return await withDeps(open, (deps) => withTwin(deps, agency, make))
  }
  const makeLive = () => inTransaction(db, (tx) => make(tx, agency))
  const made = await namingOptions(input.isSet('test') ? makeTest() : makeLive())
  return { json: made, text: `Key created. It is shown only now, so save it.\n\n${shown(made)}` }
})

export const list = readingDatabase(async (input, { db }) => {
  const agency = await getNamedAgency(db, input.text('agency'))
  const twin = await findTwin(db, agency.id)
  const live = await listKeys(db, agency.id, databaseClock)
  const test = twin === null ? [] : await listKeys(db, twin.id, databaseClock)
  const keys = [...live, ...test]
  const columns = {
    ID: 'id',
    KEY: ({ prefix }: ListedKey) => `${prefix}…`,
    NAME: 'name',
    STATUS: 'status',
    SCOPES: ({ scopes }: ListedKey) => scopes.join(' '),
    EXPIRES: ({ expires_at: at }: ListedKey) => at ?? 'never',
    SIGNATURE: ({ signature_required: isRequired }: ListedKey) => (isRequired ? 'required' : 'no'),
    ORIGINS: ({ allowed_origins: origins }: ListedKey) => origins.join(' '),
  } as const
  return listed(keys, columns, 'The agency has no keys yet.')
})

export const rotate = onDatabase(async ({ positionals: [id = ''] }, { db, config }) => {
  const agencyId = await getKeyAgencyId(db, id)
  const deps = await keyDeps(config)
  const made = await inTransaction(db, async (tx) => {
    const key = await rotateKey(tx, agencyId, id, deps)
    const old = await getKey(tx, agencyId, id.toLowerCase(), databaseClock)
    await auditCommand(tx, 'key_rotated', await realAgencyId(tx, agencyId), `${old.prefix}…`, {
      new: `${key.prefix}…`,
    })
    await notifyOfKey(tx, agencyId, key, old.name)
    return key
  })
  return {
    json: { ...made, replaces: id.toLowerCase() },
    text: [
      `Key created. It is shown only now, so save it.\n\n${shown(made)}\n`,
      'The old key still works. Revoke it once the new one is in use:',
      `  ${svcCommand} key revoke ${id}`,
    ].join('\n'),
  }
})

export const revoke = onDatabase(async ({ positionals: [id = ''] }, { db }) => {
  const agencyId = await getKeyAgencyId(db, id)
  const revoked = await revokeNoted(db, agencyId, id)
  return {
    json: revoked,
    text: `Key "${revoked.name}" (${revoked.prefix}…) was revoked at ${revoked.revoked_at}.`,
  }
})

async function revokeNoted(db: Db, agencyId: string, id: string) {
  return await inTransaction(db, async (tx) => {
    const key = await revokeKey(tx, agencyId, id, databaseClock)
    await auditCommand(tx, 'key_revoked', await realAgencyId(tx, agencyId), `${key.prefix}…`, {
      name: key.name,
    })
    return key
  })
}

/** Names the owner of a key that was found somewhere. */
export const find = readingUnless(['revoke'], async (input, { db }) => {
  const [text = ''] = input.positionals
  const found = await Promise.all(
    (await findKeysByText(db, text)).map(async ({ id, agency_id: agencyId }) => {
      const { name, prefix, status } = await getKey(db, agencyId, id, databaseClock)
      const { slug } = await getAgencyById(db, await realAgencyId(db, agencyId))
      return { id, agency: slug, name, prefix, status, agencyId }
    }),
  )
  const [key] = found
  if (key === undefined) throw new CommandError('No key of this service has this text or prefix.')
  if (found.length > 1) {
    const named = found.map(({ id, agency, name }) => `${id} ("${name}" of ${agency})`).join(', ')
    throw new CommandError(`${found.length} keys have this prefix, and none was revoked: ${named}.`)
  }
  const { agencyId, ...shownKey } = key
  const revokes = input.isSet('revoke') && key.status !== 'revoked'
  if (revokes) await revokeNoted(db, agencyId, key.id)
  const json = { ...shownKey, status: revokes ? 'revoked' : key.status }
  return { json, text: fields(Object.entries({ ...json, prefix: `${json.prefix}…` })) }
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

/** Notifies the owners of every new key that can write, including those that the operator makes. */
async function notifyOfKey(tx: Tx, agencyId: string, made: NewKey, name: string): Promise<void> {
  if (!hasWriteScope(made.scopes)) return
  const { id: key_id, prefix } = made
  await notifyOwners(tx, agencyId, { kind: 'writing_key', by: null, key_id, name, prefix }, databaseClock)
}

async function keyDeps(config: Config): Promise<KeyDeps> {
  const secretBox = await loadSecretBox(config)
  return { secretBox, clock: databaseClock, serviceName: config.serviceName }
}

async function getKeyAgencyId(db: Db, id: string): Promise<string> {
  const agencyId = isUuid(id) ? await findKeyAgencyId(db, id) : null
  if (agencyId === null) {
    throw new ApiError('not_found', {
      message: `No key has the id "${id}". See: ${svcCommand} key list --agency SLUG`,
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
