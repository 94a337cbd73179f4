/** Signing in with a passkey: without email, password and second factor, because the authenticator has verified the person. */
import { takePasskeySignIn } from '../sign-in/attempts.ts'
import { asVerified } from '../sign-in/confirm.ts'
import { trustNetwork } from '../passwords/hashing.ts'
import { wrongPasskey } from './passkeys.ts'
import { type Device, startSession } from '../sign-in/sessions.ts'
import { recordSignIn, type SignedIn } from '../sign-in/sign-in.ts'
import { type PasskeyDeps, verifyAssertion } from './webauthn.ts'

/**
 * @param formToken binds the challenge to the form
 * @param sent the script's JSON
 * @throws ApiError 400 `passkey`; `rate_limited`
 */
export async function signInByPasskey(
  deps: PasskeyDeps,
  formToken: string,
  sent: string,
  device: Device,
): Promise<SignedIn> {
  await takePasskeySignIn(deps, device.ip)
  const { account, passkeyName, verified } = await verifyAssertion(deps, { act: 'sign in', formToken }, sent)
  const signedIn = await asVerified(deps, account, verified, device.ip, async (tx) => {
    const session = await startSession(tx, verified, device, deps.clock)
    // The account was disabled meanwhile.
    if (session === null) throw wrongPasskey()
    await recordSignIn(tx, account, device, deps.clock, passkeyName)
    return { ...session, account }
  })
  trustNetwork(device.ip)
  return signedIn
}
