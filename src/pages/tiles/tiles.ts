/**
 * Map tiles from the cache, or from the operator's tile service, which is called as rarely as possible. Equal requests are merged, few run
 * at a time, clients take turns, and a failing service gets a pause, during which expired tiles are shown.
 */
import { join } from 'node:path'
import type { Clock } from '../../platform/time/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { needsDataDir } from '../../platform/config/data-dir.ts'
import { dayMs } from '../../platform/time/days.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { mapTiles as counted } from '../../platform/log/counters.ts'
import { createBreaker } from '../../platform/outside/breaker.ts'
import { WaitedTooLong } from '../../platform/concurrency.ts'
import { countedLog } from '../../platform/log/counted-log.ts'
import { tileBudgets } from '../../limits/sizes.ts'
import { boundedMap } from '../../platform/memory/bounded-map.ts'
import { farthestZoom } from '../../platform/web/map/map.ts'
import { isServed, tileAt, type TileCoordinates } from './area.ts'
import { type CachedTile, openTileCache, type TileCache } from './cache.ts'
import { openTileSource, pictureType, type TileSource } from './source.ts'
import { ServiceFailure } from '../../platform/outside/outside-service.ts'
import { openQueue, type QueuedTile } from './queue.ts'
import type { Log } from '../../platform/log/log.ts'

/** A tile to show. */
export type Tile = Readonly<{
  bytes: Buffer
  type: string
  /** How long it is fresh; 0 while the service is unreachable. */
  freshMs: number
}>

export type Tiles = Pick<MapTiles, 'find' | 'close'>

type TilesOptions = Readonly<{
  maxZoom: number
  source: TileSource
  cache: TileCache
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}>

const staleMs = tileBudgets.staleDays * dayMs
const buenosAires = [-34.6037, -58.3816] as const
const maxRefused = 10_000

/** Opens the tiles of MAP_TILES_URL; null if it is not set. Call `close` at the end. */
export function openTiles(config: Config, { clock, log }: Pick<TilesOptions, 'clock' | 'log'>): Tiles | null {
  const { mapTiles, dataDir } = config
  if (mapTiles === null) return null
  // If nothing else is stored in DATA_DIR, it may not be writable.
  const directory = needsDataDir(config) ? join(dataDir, 'map-tiles') : null
  const source = openTileSource({ ...config, url: mapTiles.url })
  const { memoryBytes, diskBytes } = tileBudgets
  const cache = openTileCache({ directory, log, memoryBytes, diskBytes })
  return new MapTiles({ maxZoom: mapTiles.maxZoom, source, cache, clock, log })
}

export class MapTiles {
  readonly #options: TilesOptions
  readonly #closing = new AbortController()
  readonly #queue = openQueue(this.#closing.signal)
  /** Running lookups, shared by all clients. */
  readonly #unanswered = new Map<string, { found: Promise<Tile | null>; queued: QueuedTile }>()
  /** The end of the pause for a refused tile. Otherwise a popular refused tile would look like a service that refuses everything. */
  readonly #refused = boundedMap<string, number>({ max: maxRefused })
  readonly #logFailure: ReturnType<typeof countedLog<string>>
  readonly #breaker: ReturnType<typeof createBreaker>

  constructor(options: TilesOptions) {
    const { clock, log } = options
    this.#options = options
    this.#logFailure = countedLog((reason: string, count) =>
      log.warn({ reason, tiles: count }, 'map tiles could not be fetched'),
    )
    this.#breaker = createBreaker({
      now: () => performance.now() + clock.offsetMs,
      onChange: (state) => {
        if (state === 'open') log.warn({}, 'the tile service is failing; requests are paused')
        else log.info({}, 'the tile service works again')
      },
    })
  }

  /**
   * Null: no map shows this tile, or the service has none.
   * @param client the requester, so that one with many requests does not delay others
   * @throws ApiError `service_unavailable`
   */
  async find(coordinates: TileCoordinates, client: string): Promise<Tile | null> {
    if (!isServed(coordinates, this.#options.maxZoom)) return null
    const name = `${coordinates.z}-${coordinates.x}-${coordinates.y}`
    const same = this.#unanswered.get(name)
    if (same !== undefined) {
      this.#queue.share(same.queued, client)
      return same.found
    }
    const queued: QueuedTile = { client, moved: null }
    const found = this.#lookUp(name, coordinates, queued).finally(() => this.#unanswered.delete(name))
    this.#unanswered.set(name, { found, queued })
    return found
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the tiles are closed'))
    await this.#options.source.close()
  }

  async #lookUp(name: string, coordinates: TileCoordinates, queued: QueuedTile): Promise<Tile | null> {
    const cached = await this.#options.cache.read(name)
    if (cached !== null && cached.freshUntil > this.#now()) {
      counted.add('cache')
      return this.#shown(cached)
    }
    try {
      if (this.#breaker.isOpen()) throw resting()
      if ((this.#refused.get(name) ?? 0) > this.#now())
        throw new ServiceFailure('forbidden', 'It has refused this tile, so requests for it pause.')
      return await this.#queue.run(queued, () => this.#fetch(name, coordinates, cached))
    } catch (error) {
      return this.#late(cached, error)
    }
  }

  async #fetch(name: string, coordinates: TileCoordinates, cached: CachedTile | null): Promise<Tile | null> {
    const { source, cache } = this.#options
    const response = await this.#breaker
      .run(() => source.get(coordinates, cached?.validators ?? null, this.#closing.signal))
      .catch((error: unknown) => {
        if (error instanceof ServiceFailure && error.kind === 'forbidden')
          this.#refused.set(name, this.#now() + tileBudgets.refusedSeconds * 1_000)
        throw error
      })
    if (response === null) throw resting()
    const { kind, freshMs, validators } = response
    const bytes =
      kind === 'picture'
        ? response.bytes
        : kind === 'unchanged' && cached !== null
          ? cached.bytes
          : Buffer.alloc(0)
    const tile = { bytes, freshUntil: this.#now() + (freshMs ?? 0), validators }
    if (freshMs !== null) await cache.write(name, tile)
    counted.add(kind === 'picture' ? 'service' : kind === 'unchanged' ? 'renewed' : 'none')
    return this.#shown(tile)
  }

  /** The expired tile after a failure of the service. @throws ApiError `service_unavailable` */
  #late(cached: CachedTile | null, error: unknown): Tile | null {
    const isClosing = this.#closing.signal.aborted
    if (!(error instanceof ServiceFailure || error instanceof WaitedTooLong || isClosing)) throw error
    if (!isClosing) this.#logFailure('tiles', (error as Error).message)
    if (cached !== null && cached.freshUntil + staleMs > this.#now()) {
      counted.add('late')
      return this.#shown(cached)
    }
    counted.add('failed')
    throw new ApiError('service_unavailable', {
      message: 'The map cannot be shown now. Try again in a moment.',
      retryAfter: 30,
      isLogged: true,
      cause: error,
    })
  }

  #shown({ bytes, freshUntil }: CachedTile): Tile | null {
    const type = pictureType(bytes)
    return type === null ? null : { bytes, type, freshMs: Math.max(0, freshUntil - this.#now()) }
  }

  #now(): number {
    return Date.now() + this.#options.clock.offsetMs
  }
}

function resting(): ServiceFailure {
  return new ServiceFailure('down', 'It has failed, so requests pause.')
}

/** Fetches a tile of Buenos Aires at the lowest and the highest zoom. @returns the reason for a failure, or null */
export async function checkTiles(
  config: Pick<Config, 'mapTiles' | 'serviceName' | 'publicBaseUrl'>,
): Promise<ServiceFailure | null> {
  if (config.mapTiles === null) return null
  const { url, maxZoom } = config.mapTiles
  const source = openTileSource({ ...config, url })
  const failureAt = async (zoom: number): Promise<ServiceFailure | null> => {
    try {
      const coordinates = tileAt(...buenosAires, zoom)
      const { kind } = await source.get(coordinates, null, new AbortController().signal)
      return kind === 'picture'
        ? null
        : new ServiceFailure('nonsense', 'It has no tile of Argentina. Check the order of {z}, {x} and {y}.')
    } catch (error) {
      if (error instanceof ServiceFailure) return error
      throw error
    }
  }
  try {
    const far = await failureAt(farthestZoom)
    const near = far === null ? await failureAt(maxZoom) : null
    if (near?.kind !== 'nonsense') return far ?? near
    return new ServiceFailure(
      'refused',
      `It has no tiles at zoom ${maxZoom}. Set MAP_TILES_MAX_ZOOM to the highest zoom that it has.`,
    )
  } finally {
    await source.close()
  }
}
