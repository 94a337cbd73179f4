/**
 * An authenticator in software: makes ES256 keys, and responds to WebAuthn options as a browser's `toJSON` gives them. Responses can be
 * wrong in single points, for tests of refusals.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Options = {
  challenge: string
  rp?: { id?: string }
  rpId?: string
  user?: { id: string }
  allowCredentials?: { id: string }[]
}

type Deviation = Partial<{
  origin: string
  rpId: string
  challenge: string
  /** The flags of the authenticator data. */
  isVerified: boolean
  /** The format of a new credential's attestation; `packed` is signed by the credential itself. */
  attestation: 'none' | 'packed' | 'apple'
  /** The key that signs. */
  key: KeyObject
  userHandle: string
}>

/** A passkey on a device. */
export type DevicePasskey = {
  id: Buffer
  key: KeyObject
  userHandle: string
  /** Reported at each use; stays 0 on devices that do not count. */
  counter: number
  counts: boolean
}

export const testOrigin = 'https://listings.test'

/** Creates a passkey. @returns it, and the credential to send */
export function createPasskey(
  options: Options,
  { counts = false, idBytes = 16, ...deviation }: Deviation & { counts?: boolean; idBytes?: number } = {},
) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(idBytes)
  const passkey: DevicePasskey = {
    id,
    key: privateKey,
    userHandle: options.user?.id ?? '',
    counter: counts ? 1 : 0,
    counts,
  }
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const authData = Buffer.concat([
    authenticatorData(options, passkey.counter, deviation, 0x40),
    Buffer.alloc(16),
    length,
    id,
    coseKey(publicKey),
  ])
  const clientDataJSON = clientData('webauthn.create', options, deviation)
  const { attestation = 'none' } = deviation
  const attestationObject = Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText(attestation),
    cborText('attStmt'),
    attestation === 'packed' ? selfStatement(authData, clientDataJSON, privateKey) : Buffer.from([0xa0]),
    cborText('authData'),
    cborBytes(authData),
  ])
  const response = {
    clientDataJSON: clientDataJSON.toString('base64url'),
    attestationObject: attestationObject.toString('base64url'),
    transports: ['internal'],
  }
  return { passkey, credential: credentialOf(id, response) }
}

/** Responds to a request with a passkey, and counts the use. */
export function usePasskey(passkey: DevicePasskey, options: Options, deviation: Deviation = {}) {
  if (passkey.counts) passkey.counter += 1
  const data = authenticatorData(options, passkey.counter, deviation, 0)
  const client = clientData('webauthn.get', options, deviation)
  return credentialOf(passkey.id, {
    clientDataJSON: client.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: signed(data, client, deviation.key ?? passkey.key).toString('base64url'),
    userHandle: deviation.userHandle ?? passkey.userHandle,
  })
}

function signed(data: Buffer, client: Buffer, key: KeyObject): Buffer {
  return sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), key)
}

/** `{alg: -7, sig}` */
function selfStatement(data: Buffer, client: Buffer, key: KeyObject): Buffer {
  const signature = cborBytes(signed(data, client, key))
  return Buffer.concat([
    Buffer.from([0xa2]),
    cborText('alg'),
    Buffer.from([0x26]),
    cborText('sig'),
    signature,
  ])
}

function credentialOf<Response>(id: Buffer, response: Response) {
  const text = id.toString('base64url')
  return {
    id: text,
    rawId: text,
    type: 'public-key' as const,
    response,
    clientExtensionResults: {},
    authenticatorAttachment: 'platform' as const,
  }
}

function clientData(type: string, options: Options, { origin = testOrigin, challenge }: Deviation): Buffer {
  const text = { type, challenge: challenge ?? options.challenge, origin, crossOrigin: false }
  return Buffer.from(JSON.stringify(text))
}

/** @param further flags beside user presence and verification */
function authenticatorData(
  options: Options,
  counter: number,
  { rpId = options.rp?.id ?? options.rpId ?? '', isVerified = true }: Deviation,
  further: number,
): Buffer {
  const flags = Buffer.from([0x01 | (isVerified ? 0x04 : 0) | further])
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), flags, count])
}

/** The key as COSE (RFC 9053): kty EC2, alg ES256, crv P-256, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ])
}

function cborText(text: string): Buffer {
  return Buffer.from([0x60 + text.length, ...Buffer.from(text)])
}

function cborBytes(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from(head), bytes])
}
