/**
 * Test keys, and the test environments that they see.
 */
import type { Agency } from '../../src/agencies/agencies.ts'
import { withTwin } from '../../src/demo/test-environment.ts'
import { createKey, type KeyInput, type NewKey } from '../../src/keys/keys.ts'
import type { TestApp } from './app.ts'

/** A test key of the agency, and its twin. The first one of a process scales the samples' pictures, which takes a second. */
export async function newTestKey(
  { deps, clock }: TestApp,
  agency: Agency,
  input: Partial<KeyInput> = {},
): Promise<NewKey & { twin: Agency }> {
  const { secretBox, config } = deps
  const keyDeps = { secretBox, clock, serviceName: config.serviceName }
  return await withTwin(deps, agency, async (tx, twin) => ({
    ...(await createKey(tx, twin.id, { name: 'test', scopes: ['properties:write'], ...input }, keyDeps)),
    twin,
  }))
}
