/**
 * Map tiles from the cache, or from the operator's tile service, which is called as rarely as possible. Equal requests are merged, few run
 * at a time, clients take turns, and a failing service gets a pause, during which expired tiles are shown.
 */
import { join } from 'node:path'
import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import { needsDataDir } from '../../platform/config/data-dir.ts'
import { dayMs } from '../../platform/days.ts'
import { ApiError } from '../../platform/errors.ts'
import { mapTiles as counted } from '../../platform/figures.ts'
import { createBreaker } from '../../limits/breaker.ts'
import { WaitedTooLong } from '../../limits/concurrency.ts'
import { countedLog } from '../../limits/counted-log.ts'
import { tileBudgets } from '../../limits/table.ts'
import { boundedMap } from '../../platform/memory/bounded-map.ts'
import { isServed, tileAt, type TileCoordinates } from './area.ts'
import { type KeptTile, openTileCache, type TileCache } from './cache.ts'
import { openTileSource, pictureType, type TileSource } from './source.ts'
import { ServiceFailure } from '../../limits/outside-service.ts'
import { openTurns, type Turn } from './turns.ts'
import type { Log } from '../../platform/log.ts'

/** A tile to show. */
export type Tile = Readonly<{
  bytes: Buffer
  type: string
  /** How long it is fresh; 0 while the service is unreachable. */
  freshMs: number
}>

export type Tiles = Readonly<{
  /**
   * Null: no map shows this tile, or the service has none.
   * @param client the requester, so that one with many requests does not delay others
   * @throws ApiError `service_unavailable`
   */
  find(coordinates: TileCoordinates, client: string): Promise<Tile | null>
  close(): Promise<void>
}>

type TilesOptions = Readonly<{
  maxZoom: number
  source: TileSource
  cache: TileCache
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}>

const staleMs = tileBudgets.stale_days * dayMs
/** The first zoom that any map shows: the whole country. */
const firstZoom = 4
const buenosAires = [-34.6037, -58.3816] as const
const mostRefused = 10_000

/** Opens the tiles of MAP_TILES_URL; null if it is not set. Call `close` at the end. */
export function openTiles(
  config: Pick<
    Config,
    'mapTiles' | 'dataDir' | 'databaseUrl' | 'secretKey' | 's3' | 'serviceName' | 'publicBaseUrl'
  >,
  { clock, log }: Pick<TilesOptions, 'clock' | 'log'>,
): Tiles | null {
  const { mapTiles, dataDir } = config
  if (mapTiles === null) return null
  // If nothing else is stored in DATA_DIR, it may not be writable.
  const directory = needsDataDir(config) ? join(dataDir, 'map-tiles') : null
  const source = openTileSource({ ...config, url: mapTiles.url })
  const cache = openTileCache({ directory, log })
  return tilesOf({ maxZoom: mapTiles.maxZoom, source, cache, clock, log })
}

export function tilesOf({ maxZoom, source, cache, clock, log }: TilesOptions): Tiles {
  const closing = new AbortController()
  const turns = openTurns(closing.signal)
  /** Running lookups, shared by all clients. */
  const unanswered = new Map<string, { found: Promise<Tile | null>; turn: Turn }>()
  /** The end of the pause for a refused tile. Otherwise a popular refused tile would look like a service that refuses everything. */
  const refused = boundedMap<string, number>({ most: mostRefused })
  const now = () => Date.now() + clock.offsetMs
  const logFailure = countedLog((reason: string, count) =>
    log.warn({ reason, tiles: count }, 'map tiles could not be fetched'),
  )
  const breaker = createBreaker({
    now: () => performance.now() + clock.offsetMs,
    onChange: (state) => {
      if (state === 'open') log.warn({}, 'the tile service fails; requests pause')
      else log.info({}, 'the tile service works again')
    },
  })

  const resting = () => new ServiceFailure('down', 'It has failed, and is left alone for a while.')

  const shown = ({ bytes, freshUntil }: KeptTile): Tile | null => {
    const type = pictureType(bytes)
    return type === null ? null : { bytes, type, freshMs: Math.max(0, freshUntil - now()) }
  }

  const fetchTile = async (
    name: string,
    coordinates: TileCoordinates,
    kept: KeptTile | null,
  ): Promise<Tile | null> => {
    const answer = await breaker
      .run(() => source.get(coordinates, kept?.validators ?? null, closing.signal))
      .catch((error: unknown) => {
        if (error instanceof ServiceFailure && error.kind === 'forbidden')
          refused.set(name, now() + tileBudgets.refused_seconds * 1_000)
        throw error
      })
    if (answer === null) throw resting()
    const { kind, freshMs, validators } = answer
    const bytes =
      kind === 'picture' ? answer.bytes : kind === 'unchanged' && kept !== null ? kept.bytes : Buffer.alloc(0)
    const tile = { bytes, freshUntil: now() + (freshMs ?? 0), validators }
    if (freshMs !== null) await cache.write(name, tile)
    counted.add(kind === 'picture' ? 'service' : kind === 'unchanged' ? 'renewed' : 'none')
    return shown(tile)
  }

  const late = (kept: KeptTile | null, error: unknown): Tile | null => {
    if (!(error instanceof ServiceFailure || error instanceof WaitedTooLong || closing.signal.aborted))
      throw error
    if (!closing.signal.aborted) logFailure('tiles', (error as Error).message)
    if (kept !== null && kept.freshUntil + staleMs > now()) {
      counted.add('late')
      return shown(kept)
    }
    counted.add('failed')
    throw new ApiError('service_unavailable', {
      message: 'The map cannot be shown now. Try again in a moment.',
      retryAfter: 30,
      isLogged: true,
      cause: error,
    })
  }

  const lookUp = async (name: string, coordinates: TileCoordinates, turn: Turn): Promise<Tile | null> => {
    const kept = await cache.read(name)
    if (kept !== null && kept.freshUntil > now()) {
      counted.add('cache')
      return shown(kept)
    }
    try {
      if (breaker.isOpen()) throw resting()
      if ((refused.get(name) ?? 0) > now())
        throw new ServiceFailure('forbidden', 'It has refused this tile, which is left alone for a while.')
      return await turns.take(turn, () => fetchTile(name, coordinates, kept))
    } catch (error) {
      return late(kept, error)
    }
  }

  return {
    find(coordinates, client) {
      if (!isServed(coordinates, maxZoom)) return Promise.resolve(null)
      const name = `${coordinates.z}-${coordinates.x}-${coordinates.y}`
      const same = unanswered.get(name)
      if (same !== undefined) {
        turns.share(same.turn, client)
        return same.found
      }
      const turn: Turn = { client, moved: null }
      const found = lookUp(name, coordinates, turn).finally(() => unanswered.delete(name))
      unanswered.set(name, { found, turn })
      return found
    },
    async close() {
      closing.abort(new Error('the tiles are closed'))
      await source.close()
    },
  }
}

/** Fetches the lowest zoom's tile and one of the highest zoom. @returns the reason for a failure, or null */
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
    const far = await failureAt(firstZoom)
    const near = far === null ? await failureAt(maxZoom) : null
    if (near?.kind !== 'nonsense') return far ?? near
    return new ServiceFailure(
      'refused',
      `It has no tiles at zoom ${maxZoom}: set MAP_TILES_MAX_ZOOM to its closest.`,
    )
  } finally {
    await source.close()
  }
}
