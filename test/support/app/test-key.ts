/** Test keys, and the test environments that they see. */
import type { Agency } from '../../../src/agencies/agencies.ts'
import type { PictureMemory } from '../../../src/samples/pictures.ts'
import { resetTwin, withTwin } from '../../../src/samples/test-environment.ts'
import type { Tx } from '../../../src/platform/db/statements/connection.ts'
import { createKey, type KeyInput, type NewKey } from '../../../src/access/keys/keys.ts'
import type { TestApp } from './app.ts'

/** Replaces the demonstration's pictures, which take seconds to scale. */
export const stubPictures: PictureMemory = {
  read: async (url) => Buffer.from(url),
  async scale(_hash, bytes) {
    const picture = { bytes: Buffer.from(bytes), width: 1_600, height: 1_067 }
    return { large: picture, medium: picture, small: picture }
  },
}

/** Empties and refills the twin. */
export async function resetTestAgency({ deps }: TestApp, twin: Agency): Promise<{ listings: number }> {
  return await resetTwin(deps, twin, async () => {}, stubPictures)
}

/** A test key of the agency, and its twin. */
export async function newTestKey(
  { deps, clock }: TestApp,
  agency: Agency,
  input: Partial<KeyInput> = {},
): Promise<NewKey & { twin: Agency }> {
  const { secretBox, config } = deps
  const keyDeps = { secretBox, clock, serviceName: config.serviceName }
  const make = async (tx: Tx, twin: Agency): Promise<NewKey & { twin: Agency }> => {
    const wanted = { name: 'test', scopes: ['properties:write'], ...input }
    return { ...(await createKey(tx, twin.id, wanted, keyDeps)), twin }
  }
  return await withTwin(deps, agency, make, stubPictures)
}
