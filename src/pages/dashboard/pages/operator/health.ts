/** Checks of everything that the service depends on, as on the command line. */
import { checkStoredSecrets, describeUnreadable } from '../../../../access/secrets/stored-secrets.ts'
import { readFreshness } from '../../../../operations/backup/routine/freshness.ts'
import { failureOf } from '../../../../delivery/notifications/failure.ts'
import { ServiceFailure } from '../../../../platform/outside/outside-service.ts'
import { checkGeocoder } from '../../../../listings/geocoding/open-geocoder.ts'
import { checkStorage } from '../../../../listings/photos/storage.ts'
import { framed, stateBadge } from '../../parts/page-parts.ts'
import { whyText } from './delivery-parts.ts'
import { factList } from '../../parts/tables.ts'
import { personPage, type PersonRequest } from '../../serving/page.ts'
import { checkTiles } from '../../../tiles/tiles.ts'
import { inTime } from '../../../../platform/time/clock.ts'
import { statement } from '../../../../platform/db/statements/statement.ts'
import { messageOf } from '../../../../platform/errors/errors.ts'
import { html, type Html } from '../../../../platform/web/html.ts'

type HealthCheck = Readonly<{
  name: 'database' | 'storage' | 'geocoder' | 'tiles' | 'secrets' | 'mail' | 'backup'
  /** Null if not in use. */
  ok: boolean | null
  detail: string
}>

const patienceMs = 5_000

/** Reads PostgreSQL's version, and the size of the database in bytes. */
const measure = statement<{ version: string; bytes: number }>(`
  select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`)

export async function healthChecks({ deps, t }: PersonRequest): Promise<HealthCheck[]> {
  const { config, db, photos, secretBox, mailer } = deps
  const texts = t.health
  return await Promise.all([
    check('database', async () => {
      // With Citus, the coordinator and every node.
      const all = [...new Set([db, ...(await db.nodes())])]
      const found = (await Promise.all(all.map((one) => measure(one, [])))).flat()
      const bytes = found.reduce((sum, { bytes: own }) => sum + own, 0)
      return texts.database(found[0]?.version ?? '', `${Math.round(bytes / 1_048_576)} MB`)
    }),
    check('storage', async () => {
      const problem = await checkStorage(photos.storage)
      if (problem !== null) throw new Error(problem)
      return config.s3 === null ? texts.files : texts.bucket(config.s3.bucket)
    }),
    check('secrets', async () => {
      const problem = describeUnreadable(await checkStoredSecrets(db, secretBox))
      if (problem !== null) throw new Error(problem)
      return texts.secrets
    }),
    geocoderCheck(),
    tilesCheck(),
    backupCheck(),
    mailer === null
      ? { name: 'mail' as const, ok: null, detail: texts.noMail }
      : check('mail', async () => {
          await mailer.check().catch((error: unknown) => {
            const { why, message } = failureOf(error)
            throw new Error(whyText({ t }, { why, detail: message }) ?? message)
          })
          return texts.mail
        }),
  ])

  async function backupCheck(): Promise<HealthCheck> {
    const { state, ageHours, error } = await readFreshness(db, deps.clock, config)
    if (state === 'unused') return { name: 'backup', ok: null, detail: texts.noBackups }
    const age = ageHours === null ? texts.neverBackedUp : texts.backupAge(ageHours)
    const detail = error === null ? age : `${texts.backupFailed(error)} ${age}`
    return { name: 'backup', ok: state === 'fresh', detail }
  }

  async function tilesCheck(): Promise<HealthCheck> {
    if (config.mapTiles === null) return { name: 'tiles', ok: null, detail: texts.noTiles }
    const { host } = new URL(config.mapTiles.url)
    const problem = await checkTiles(config)
    const works = problem === null || problem.kind === 'refused'
    const detail = `${works ? texts.tiles(host) : texts.tilesDown(host)} ${problem?.message ?? ''}`.trim()
    return { name: 'tiles', ok: problem === null, detail }
  }

  /** While the geocoder is down, new addresses have no pins; nothing else fails. */
  async function geocoderCheck(): Promise<HealthCheck> {
    const { geocoder } = config
    if (geocoder === 'none') return { name: 'geocoder', ok: null, detail: texts.noGeocoder }
    const late = new ServiceFailure('down', 'It took too long to answer.')
    const problem = await inTime(patienceMs, checkGeocoder(config), late)
    if (problem === null) return { name: 'geocoder', ok: true, detail: texts.geocoder(geocoder) }
    const { status, kind } = problem instanceof ServiceFailure ? problem : { status: null, kind: null }
    const why = status === null ? problem.message : t.notifications.why.refused(status)
    const down = texts.geocoderDown(geocoder)
    return {
      name: 'geocoder',
      ok: false,
      detail: kind === 'down' && status === null ? down : `${down} ${why}`,
    }
  }
}

async function check(name: HealthCheck['name'], look: () => Promise<string>): Promise<HealthCheck> {
  try {
    return { name, ok: true, detail: await look() }
  } catch (error) {
    return { name, ok: false, detail: messageOf(error) }
  }
}

function okBadge({ t }: PersonRequest, ok: HealthCheck['ok']): Html {
  if (ok === null) return html`<span class="badge">${t.health.off}</span>`
  return ok ? stateBadge('good', t.health.ok) : stateBadge('bad', t.health.wrong)
}

async function healthPage(request: PersonRequest) {
  const { t } = request
  const checks = await healthChecks(request)
  const facts = checks.map(
    ({ name, ok, detail }) => [t.health.names[name], html`${okBadge(request, ok)} ${detail}`] as const,
  )
  return framed(
    request,
    { title: t.nav.health, section: 'health', subtitle: t.health.subtitle },
    html`<section class="card">${factList(facts)}</section>`,
  )
}

export const healthPages = [personPage('GET', '/operator/health', 'operator', healthPage)]
