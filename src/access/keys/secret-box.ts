/**
 * Encryption at rest of secrets that must be read again, such as signing secrets (api.md 3): AES-256-GCM under a key derived from
 * SECRET_KEY, which is generated on first use where none is set.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../platform/config/settings-reader.ts'
import type { Tx } from '../../platform/db/connection.ts'
import type { Db } from '../../platform/db/database.ts'
import { hasCode } from '../../platform/errors.ts'

export type SecretBox = Readonly<{
  /** Encrypts; the result differs each time. */
  seal: (text: string) => Buffer
  /** Decrypts what `seal` returned. @throws Error when it was changed, or sealed under another SECRET_KEY. */
  open: (sealed: Buffer) => string
}>

// Layout: version (one byte, so that others can follow), nonce, tag, ciphertext.
const version = 1
const nonceLength = 12
const tagLength = 16
const headLength = 1 + nonceLength + tagLength

/** Derives the encryption key once. */
export function openSecretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'signing secrets, AES-256-GCM', 32))
  return Object.freeze({
    seal(text: string) {
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext])
    },
    open(sealed: Buffer) {
      if (sealed.length < headLength || sealed[0] !== version) {
        throw new Error('An encrypted secret has an unknown format.')
      }
      const nonce = sealed.subarray(1, 1 + nonceLength)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
      decipher.setAuthTag(sealed.subarray(1 + nonceLength, headLength))
      try {
        return String(Buffer.concat([decipher.update(sealed.subarray(headLength)), decipher.final()]))
      } catch (cause) {
        const message =
          'A secret cannot be decrypted: it was changed, or it was encrypted with another SECRET_KEY.'
        throw new Error(message, { cause })
      }
    },
  })
}

/**
 * The secret key: the setting, or else `secret.key` of the data directory, generated when missing. Processes that start together get
 * the same one.
 * @throws ConfigError when the file cannot be used.
 */
export async function loadSecretKey(config: { secretKey: string | null; dataDir: string }): Promise<string> {
  if (config.secretKey !== null) return config.secretKey
  const path = join(config.dataDir, 'secret.key')
  const kept = (await readIfThere(path)) ?? (await makeOnce(config.dataDir, path))
  const secretKey = kept.trim()
  if (secretKey.length < 16)
    throw new ConfigError(
      `${path} has no usable key. Restore it. If you remove it, the signing secrets encrypted with it are lost.`,
    )
  return secretKey
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

async function makeOnce(directory: string, path: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  const draft = join(directory, `secret.key.${randomBytes(8).toString('hex')}`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await file.sync()
    // A hard link appears whole or not at all, and never replaces the file of another process.
    await link(draft, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await file.close()
    await unlink(draft)
  }
  // Synced: whatever is sealed from now on would be lost with this file.
  const parent = await open(directory)
  await parent.sync().finally(() => parent.close())
  return await readFile(path, 'utf8')
}

/** Decrypts every signing secret in use: with another SECRET_KEY, no signed request passes. @returns the problem as a sentence, or null */
export async function checkSigningSecrets(db: Db | Tx, secretBox: SecretBox): Promise<string | null> {
  const rows = await db
    .selectFrom('api_keys')
    .select('signing_secret')
    .where('signing_secret', 'is not', null)
    .where('revoked_at', 'is', null)
    .execute()
  const lost = rows.filter(({ signing_secret: sealed }) => sealed !== null && !opens(secretBox, sealed))
  if (lost.length === 0) return null
  return `${lost.length} of ${rows.length} signing secrets cannot be decrypted: they were encrypted with another SECRET_KEY.`
}

function opens(secretBox: SecretBox, sealed: Buffer): boolean {
  try {
    secretBox.open(sealed)
    return true
  } catch {
    return false
  }
}
