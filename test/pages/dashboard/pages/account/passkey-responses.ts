/** Does what the script of a form with a passkey does: fetches the options, responds to them, and fills in the form. */
import assert from 'node:assert/strict'
import type { Account } from '../../../../../src/access/accounts/accounts.ts'
import { uuidv7 } from '../../../../../src/platform/names/ids.ts'
import type { TestApp } from '../../../../support/app/app.ts'
import { createPasskey, type DevicePasskey, usePasskey } from '../../../../support/browser/authenticator.ts'
import { password } from '../../../../support/app/people.ts'
import type { Visitor } from '../../visitor.ts'

export const passkeysPath = '/dashboard/account/passkeys'
export const passkeySignInPath = '/dashboard/sign-in/passkey'

/** @param page the one with the form */
async function optionsAt(who: Visitor, page: string, path: string) {
  await who.get(page)
  const response = await who.get(path, { accept: 'application/json' })
  assert.equal(response.status, 200, response.text)
  return JSON.parse(response.text) as { options: Parameters<typeof createPasskey>[0]; token: string }
}

/** The field `assertion` that signs in. */
export async function signInResponse(who: Visitor, passkey: DevicePasskey): Promise<string> {
  const { options, token } = await optionsAt(who, '/dashboard/sign-in', passkeySignInPath)
  return JSON.stringify({ token, credential: usePasskey(passkey, options) })
}

/** The field `assertion` that confirms. */
export async function confirmResponse(who: Visitor, passkey: DevicePasskey): Promise<string> {
  const { options, token } = await optionsAt(who, passkeysPath, `${passkeysPath}/confirm`)
  return JSON.stringify({ token, credential: usePasskey(passkey, options) })
}

/** A new passkey, and the field `credential` that adds it. */
export async function newPasskey(who: Visitor): Promise<{ passkey: DevicePasskey; credential: string }> {
  const { options, token } = await optionsAt(who, passkeysPath, `${passkeysPath}/new`)
  const { passkey, credential } = createPasskey(options)
  return { passkey, credential: JSON.stringify({ token, credential }) }
}

/** Adds a passkey to the visitor's account, which has a password. */
export async function addPasskey(who: Visitor, name = 'Llave'): Promise<DevicePasskey> {
  const { passkey, credential } = await newPasskey(who)
  const added = await who.post(passkeysPath, { name, current: password, credential })
  assert.equal(added.status, 303, added.words)
  return passkey
}

/** Stores a passkey that no device has. @returns its id */
export async function storePasskey({ deps }: TestApp, { id: accountId }: Account): Promise<string> {
  const id = uuidv7()
  const key = { credential_id: Buffer.from(id), public_key: Buffer.from('none'), counter: 0, name: 'Llave' }
  const row = { id, account_id: accountId, ...key, created_at: new Date().toISOString() }
  await deps.db.insertInto('account_passkeys').values(row).execute()
  return id
}

/** The id of the passkey with that name, on the page of the visitor. */
export async function passkeyId(who: Visitor, name = 'Llave'): Promise<string> {
  const { text } = await who.get(passkeysPath)
  const found = [...text.matchAll(/passkeys\/([\da-f-]{36})">([^<]*)</g)]
  return found.find(([, , shown]) => shown === name)?.[1] ?? assert.fail(`there is no passkey ${name}`)
}
