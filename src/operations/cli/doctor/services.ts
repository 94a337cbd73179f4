/** Checks of the services around the database: photo storage, geocoder, map tiles, mail and marketplace. */
import { configuredMarketplace } from '../../../compose.ts'
import { openMailer } from '../../../delivery/mails/mailer.ts'
import { checkGeocoder } from '../../../listings/geocoding/open-geocoder.ts'
import { checkStorage, openStorage } from '../../../listings/photos/storage.ts'
import { checkTiles } from '../../../pages/tiles/tiles.ts'
import type { Config } from '../../../platform/config/config.ts'
import { type Check, check, type Finding, orThrow } from './check.ts'

export async function checkServices(config: Config): Promise<Check[]> {
  return [
    await check('photo storage', () => describeStorage(config)),
    await check('geocoder', () => describeGeocoder(config)),
    await check('map tiles', () => describeTiles(config)),
    await check('mail', () => describeMail(config)),
    await check('marketplace', () => describeMarketplace(config)),
  ]
}

async function describeStorage(config: Config): Promise<string> {
  const storage = await openStorage(config)
  const problem = await checkStorage(storage).finally(() => storage.close())
  const where = config.s3 === null ? 'files in DATA_DIR' : `in ${config.s3.bucket}`
  return orThrow(problem, `writes, reads and deletes ${where}`)
}

/** The service works without its geocoder: it stores listings without pins. */
async function describeGeocoder(config: Config): Promise<Finding> {
  const { geocoder } = config
  if (geocoder === 'none') return 'none is configured: addresses have no pin'
  const problem = await checkGeocoder(config)
  if (problem === null) return `${geocoder} answers`
  return { warning: `${geocoder} does not answer, so new addresses have no pin: ${problem.message}` }
}

/** The service works without tiles: maps show cached ones, or links. */
async function describeTiles(config: Config): Promise<Finding> {
  if (config.mapTiles === null) return 'none are configured: maps are an outline with a link'
  const problem = await checkTiles(config)
  const { host } = new URL(config.mapTiles.url)
  if (problem === null) return `${host} answers`
  return problem.kind === 'refused'
    ? { warning: `${host} answers. ${problem.message}` }
    : { warning: `${host} gives no tiles, so maps show only cached ones: ${problem.message}` }
}

async function describeMail(config: Config): Promise<string> {
  const mailer = openMailer(config)
  if (mailer === null) return 'not configured: agencies are not notified of state changes'
  await mailer.check()
  return 'the server answers and accepts the credentials'
}

/** Sends no event. Any response shows that the marketplace is reachable. */
async function describeMarketplace(config: Config): Promise<string> {
  const marketplace = configuredMarketplace(config)
  if (marketplace === null) return 'not configured: no marketplace is notified of state changes'
  const status = await marketplace.check().finally(() => marketplace.close())
  return `answers (to HEAD, with ${status})`
}
