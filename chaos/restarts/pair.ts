/** Two instances of the service on fixed ports, which are restarted one at a time, as in a rolling upgrade. */
import { freePort } from '../../test/support/network/free-port.ts'
import { newService, type Service, type ServiceOptions } from '../support/service.ts'

type Settings = Record<string, string>

type Pair = {
  urls: readonly string[]
  first(): Service
  /** Stops each and starts it again, with these settings besides the shared ones. */
  restart(settings?: Settings, options?: ServiceOptions): Promise<void>
  /** The same for one of them, with the shared settings only. */
  restartOne(index: 0 | 1, options: ServiceOptions): Promise<void>
  end(): Promise<void>
}

/** @param shared settings of both at every start @param settings others, at the first start */
export async function startPair(
  shared: Settings,
  settings: Settings = {},
  options: ServiceOptions = {},
): Promise<Pair> {
  const ports = [await freePort(), await freePort()]
  const instances: Service[] = []
  const start = async (index: number, added: Settings, how: ServiceOptions): Promise<void> => {
    await instances[index]?.stop()
    const instance = await newService({ ...shared, PORT: String(ports[index]), ...added }, how)
    instances[index] = instance
    await instance.start()
  }
  const restart: Pair['restart'] = async (added = {}, how = {}) => {
    for (const index of ports.keys()) await start(index, added, how)
  }
  await restart(settings, options)
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    first: () => instances[0] as Service,
    restart,
    restartOne: (index, how) => start(index, {}, how),
    async end() {
      for (const instance of instances) await instance.end()
    },
  }
}
