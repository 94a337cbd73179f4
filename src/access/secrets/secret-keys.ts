/** The keys that encrypt secrets at rest: SECRET_KEY, or a generated one kept in DATA_DIR, and SECRET_KEY_PREVIOUS. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../platform/config/settings-reader.ts'
import { hasCode } from '../../platform/errors/errors.ts'
import { syncDirectory } from '../../platform/files/sync-directory.ts'
import { openSecretBox, type SecretBox } from './secret-box.ts'

/** `current` encrypts and decrypts; `previous` only decrypts. */
type SecretKeys = Readonly<{ current: string; previous: string | null }>

type Settings = Readonly<{ secretKey: string | null; secretKeyPrevious: string | null; dataDir: string }>

/**
 * The keys of the settings. Without SECRET_KEY, the current one is in `secret.key` of the data directory, generated if it is missing;
 * processes that start together get the same one.
 * @throws ConfigError if the file cannot be used
 */
export async function loadSecretKeys({
  secretKey,
  secretKeyPrevious,
  dataDir,
}: Settings): Promise<SecretKeys> {
  return { current: secretKey ?? (await loadKept(dataDir)), previous: secretKeyPrevious }
}

/** The box of the settings' keys. @throws ConfigError as `loadSecretKeys` does */
export async function loadSecretBox(settings: Settings): Promise<SecretBox> {
  const { current, previous } = await loadSecretKeys(settings)
  return openSecretBox(current, previous)
}

async function loadKept(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret.key')
  const kept = (await readIfThere(path)) ?? (await makeOnce(dataDir, path))
  const secretKey = kept.trim()
  if (secretKey.length < 16)
    throw new ConfigError(
      `${path} has no usable key. Restore it. If you remove it, the secrets encrypted with it are lost.`,
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
  // Everything that is encrypted from now on depends on the file.
  await syncDirectory(directory)
  return await readFile(path, 'utf8')
}
