/** The common setup of tests of Citus's nodes: a Citus, the service on it, and agencies that write and are read throughout. */
import { after, before, test } from 'node:test'
import { checkWrites, type Load, newTenants, startLoad, type Tenant } from './agency-load.ts'
import { type Citus, startCitus } from './citus.ts'
import { newService, type Service, wideLimits } from './service.ts'

export type UnderLoad = { citus: Citus; service: Service; tenants: Tenant[]; load: Load }

type Wanted = {
  /** Agencies of each node. */
  tenants: number
  freshKeys?: number
  writers: number
  readers: number
  /** Prepares the cluster before the service starts. */
  prepare?: (citus: Citus) => Promise<void>
}

/** For the suite that calls it. @returns what its tests find filled in */
export function citusUnderLoad({ tenants, freshKeys, prepare, ...load }: Wanted): UnderLoad {
  const t = {} as UnderLoad
  before(async () => {
    t.citus = await startCitus()
    await prepare?.(t.citus)
    // All readers of pages have one IP.
    const limits = { ...wideLimits, pages_per_address_per_minute: 1e6 }
    t.service = await newService({ DATABASE_URL: t.citus.url, LIMITS: JSON.stringify(limits) })
    await t.service.start()
    t.tenants = await newTenants(t.citus, tenants, freshKeys)
    t.load = startLoad(t.service.url, t.tenants, load)
  })
  after(async () => {
    await t.service?.end()
    await t.citus?.end()
  })
  return t
}

/** The last test of such a suite: it ends the load. */
export function testThatNothingIsLost(t: UnderLoad): void {
  test('nothing acknowledged is lost, nothing is done twice', async (context) => {
    await t.load.stop()
    await checkWrites(t.citus, t.service, t.tenants)
    context.diagnostic(`${t.tenants.reduce((sum, { writes }) => sum + writes.length, 0)} writes`)
  })
}
