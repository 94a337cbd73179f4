/** A self-signed certificate for a name or an IPv4 address, built by hand because Node has no call for it. */
import { createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { dayMs } from '../../../src/platform/time/days.ts'

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts)
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const utcTime = (at: Date): Buffer =>
  der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes)

/** The key and certificate in PEM, valid from yesterday to tomorrow. */
export function selfSigned(name: string): { key: string; cert: string } {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
  const subject = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(name)))))
  const shown =
    isIP(name) === 4 ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))
  const names = sequence(objectId('551d11'), der(0x04, sequence(shown)))
  const authority = sequence(objectId('551d13'), der(0x04, sequence(der(0x01, Buffer.from([255])))))
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    subject,
    sequence(utcTime(new Date(Date.now() - dayMs)), utcTime(new Date(Date.now() + dayMs))),
    subject,
    pair.publicKey,
    der(0xa3, sequence(names, authority)),
  )
  const signed = sequence(
    certificate,
    ecdsaWithSha256,
    bits(sign('sha256', certificate, createPrivateKey(pair.privateKey))),
  )
  const lines = signed.toString('base64').replace(/(.{64})/g, '$1\n')
  return { key: pair.privateKey, cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}
