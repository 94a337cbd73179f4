/**
 * The WebAuthn ceremonies: the options that a browser gets, and checks of its responses. An authenticator must verify the user, which
 * counts as a second factor, and must be able to name the account, so that signing in needs no email.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { challengeSeconds } from '../../../limits/sizes.ts'
import type { RelyingParty } from '../../../platform/config/values.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Account, AccountDeps } from '../accounts.ts'
import { newChallenge, openChallenge, type Purpose } from './passkey-challenges.ts'
import { credentialIdsOf, findByCredential, type NewCredential, wrongPasskey } from './passkeys.ts'
import type { VerifiedPasskey } from '../sign-in/sessions.ts'

export type PasskeyDeps = AccountDeps & Readonly<{ relyingParty: RelyingParty }>

// Loaded on demand, so that the service starts sooner.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** WebAuthn's maximum, in bytes. Much longer ids would not fit into the index. */
const maxCredentialIdLength = 1_023

const shared = { timeout: challengeSeconds * 1_000, userVerification: 'required' } as const

/** Options that create a passkey, with the token of their challenge. */
export async function creationOptions(deps: PasskeyDeps, account: Account, formToken: string) {
  const { generateRegistrationOptions } = await library()
  const { challenge, token } = newChallenge(deps, { act: 'add', formToken })
  const { relyingParty, db } = deps
  const options = await generateRegistrationOptions({
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    userID: userHandle(account.id),
    userName: account.email,
    userDisplayName: account.name,
    challenge: bytesOf(challenge),
    timeout: shared.timeout,
    attestationType: 'none',
    excludeCredentials: await descriptorsOf(db, account.id),
    authenticatorSelection: { residentKey: 'required', userVerification: shared.userVerification },
  })
  return { options, token }
}

/** Options that request a passkey, with the token of their challenge. @param account null: the person chooses */
export async function requestOptions(deps: PasskeyDeps, account: Account | null, purpose: Purpose) {
  const { generateAuthenticationOptions } = await library()
  const { challenge, token } = newChallenge(deps, purpose)
  const { relyingParty, db } = deps
  const options = await generateAuthenticationOptions({
    ...shared,
    rpID: relyingParty.id,
    challenge: bytesOf(challenge),
    allowCredentials: account === null ? [] : await descriptorsOf(db, account.id),
  })
  return { options, token }
}

/** Checks a new credential. @param sent the script's JSON: `token` and `credential` @throws ApiError 400 `passkey` */
export async function verifyCreation(
  deps: PasskeyDeps,
  formToken: string,
  sent: string,
): Promise<NewCredential> {
  const { token, credential: response } = readSent<RegistrationResponseJSON>(sent)
  const challenge = openChallenge(deps, { act: 'add', formToken }, token)
  const { verifyRegistrationResponse } = await library()
  const { decodeAttestationObject } = await helpers()
  return await asRefusal(async () => {
    const attestation = decodeAttestationObject(bytesOf(response.response.attestationObject))
    // The library would fetch URLs that certificates name. Browsers send none, because none are requested.
    const isPlain = attestation.get('fmt') === 'none' || attestation.get('fmt') === 'packed'
    if (!isPlain || attestation.get('attStmt').get('x5c') !== undefined) throw wrongPasskey()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...expectedOf(deps, challenge),
      response,
    })
    if (!verified) throw wrongPasskey()
    const { id, publicKey, counter } = registrationInfo.credential
    const credentialId = bytesOf(id)
    if (credentialId.length > maxCredentialIdLength) throw wrongPasskey()
    return { challenge, credentialId, publicKey: Buffer.from(publicKey), counter }
  })
}

/** `passkeyName`: for the log. */
type Assertion = Readonly<{ passkeyName: string; account: Account; verified: VerifiedPasskey }>

/**
 * Checks a passkey's response, except for the counter and for whether the challenge was used: `usePasskey` does that in the transaction.
 * @throws ApiError 400 `passkey`
 */
export async function verifyAssertion(deps: PasskeyDeps, purpose: Purpose, sent: string): Promise<Assertion> {
  const { token, credential: response } = readSent<AuthenticationResponseJSON>(sent)
  const challenge = openChallenge(deps, purpose, token)
  const passkey = await findByCredential(deps.db, bytesOf(String(response.id)))
  if (passkey === null) throw wrongPasskey()
  const { id: passkeyId, name: passkeyName, account } = passkey
  const { verifyAuthenticationResponse } = await library()
  const counter = await asRefusal(async () => {
    const { userHandle: handle } = response.response
    if (handle != null && !bytesOf(handle).equals(userHandle(account.id))) throw wrongPasskey()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectedOf(deps, challenge),
      response,
      // The library would refuse a low counter before it has checked the signature.
      credential: { id: response.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    })
    if (!verified) throw wrongPasskey()
    return authenticationInfo.newCounter
  })
  return { passkeyName, account, verified: { accountId: account.id, passkeyId, challenge, counter } }
}

function expectedOf({ relyingParty }: PasskeyDeps, challenge: string) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  }
}

/** @throws ApiError 400 `passkey` */
function readSent<Credential extends { id: string }>(
  sent: string,
): { token: string; credential: Credential } {
  try {
    const { token, credential } = JSON.parse(sent) as { token: unknown; credential: Credential }
    if (typeof token === 'string' && typeof credential.id === 'string') return { token, credential }
  } catch (error) {
    throw wrongPasskey(error)
  }
  throw wrongPasskey()
}

/** Runs a check of untrusted input. Any error of the library refuses the input. */
async function asRefusal<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    throw wrongPasskey(error)
  }
}

async function descriptorsOf(db: Db, accountId: string): Promise<{ id: string }[]> {
  return (await credentialIdsOf(db, accountId)).map((id) => ({ id: id.toString('base64url') }))
}

/** The account's id as authenticators keep it: its 16 bytes. */
function userHandle(accountId: string): Buffer<ArrayBuffer> {
  return Buffer.from(accountId.replaceAll('-', ''), 'hex')
}

function bytesOf(base64url: string): Buffer<ArrayBuffer> {
  return Buffer.from(base64url, 'base64url')
}
