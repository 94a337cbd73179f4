/** The common setup for tests of Citus's nodes: a cluster, the service on it, and agencies that write and are read throughout. */
import { after, before, test } from 'node:test'
import { checkWrites, type Load, newTenants, startLoad, type Tenant } from './agency-load.ts'
import { type Citus, startCitus } from './cluster.ts'
import { newService, type Service, wideKeyLimits } from '../support/service.ts'

type UnderLoad = { citus: Citus; service: Service; tenants: Tenant[]; load: Load }

type Wanted = {
  /** The number of agencies on each node. */
  tenants: number
  freshKeys?: number
  writers: number
  readers: number
  /** Prepares the cluster before the service starts. */
  prepare?: (citus: Citus) => Promise<void>
}

/** Called within a suite. @returns the setup, filled in before its tests run */
export function citusUnderLoad({ tenants, freshKeys, prepare, ...load }: Wanted): UnderLoad {
  const t = {} as UnderLoad
  before(async () => {
    t.citus = await startCitus()
    await prepare?.(t.citus)
    // All readers of pages share one IP.
    const limits = { ...wideKeyLimits, pages_per_address_per_minute: 1e6 }
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

/** The last test of such a suite, which ends the load. */
export function testThatNothingIsLost(t: UnderLoad): void {
  test('nothing acknowledged is lost, and nothing happens twice', async (context) => {
    await t.load.stop()
    await checkWrites(t.citus, t.service, t.tenants)
    context.diagnostic(`${t.tenants.reduce((sum, { writes }) => sum + writes.length, 0)} writes`)
  })
}
