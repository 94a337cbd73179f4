/**
 * Whether what the service depends on works: the same checks as on the command line.
 */
import { inTime } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import { ProviderFailure } from '../../../listings/geocoding/client.ts'
import { checkGeocoder } from '../../../listings/geocoding/services.ts'
import { checkSigningSecrets } from '../../../access/keys/check-signing-secrets.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { failureOf } from '../../../delivery/notifications/failure.ts'
import { checkStorage } from '../../../listings/photos/storage.ts'
import { checkTiles } from '../../tiles/tiles.ts'
import type { Messages } from '../messages/es.ts'
import { pageHead } from '../page-parts.ts'
import { factList } from '../tables.ts'
import { whyText } from './delivery-parts.ts'
import { type Page, type PageAnswer, personPage, type Signed } from '../visit.ts'

type HealthCheck = Readonly<{
  name: 'database' | 'storage' | 'geocoder' | 'tiles' | 'secrets' | 'mail'
  /** Null: not in use. */
  ok: boolean | null
  detail: string
}>

const patienceMs = 5_000

/** PostgreSQL's version, and the size of the database. */
const measure = statement<{ version: string; bytes: number }>(`
  select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`)

export async function healthChecks({ deps, t }: Signed): Promise<HealthCheck[]> {
  const { config, db, photos, secretBox, mailer } = deps
  const texts = t.health
  return await Promise.all([
    check('database', async () => {
      // With Citus, the coordinator's and that of each node.
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
      const problem = await checkSigningSecrets(db, secretBox)
      if (problem !== null) throw new Error(problem)
      return texts.secrets
    }),
    geocoderCheck(),
    tilesCheck(),
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

  async function tilesCheck(): Promise<HealthCheck> {
    if (config.mapTiles === null) return { name: 'tiles', ok: null, detail: texts.noTiles }
    const { host } = new URL(config.mapTiles.url)
    const problem = await checkTiles(config)
    const works = problem === null || problem.kind === 'refused'
    const detail = `${works ? texts.tiles(host) : texts.tilesDown(host)} ${problem?.message ?? ''}`.trim()
    return { name: 'tiles', ok: problem === null, detail }
  }

  /** A geocoder that is down is no failure: the service goes on without pins until it answers. */
  async function geocoderCheck(): Promise<HealthCheck> {
    const { geocoder, geocoderUrl: url, serviceName, publicBaseUrl } = config
    if (geocoder === 'none') return { name: 'geocoder', ok: null, detail: texts.noGeocoder }
    const problem = await inTime(
      patienceMs,
      checkGeocoder(geocoder, { url, serviceName, publicBaseUrl }),
      new ProviderFailure('down', 'It took too long to answer.'),
    )
    if (problem === null) return { name: 'geocoder', ok: true, detail: texts.geocoder(geocoder) }
    const { status, kind } = problem instanceof ProviderFailure ? problem : { status: null, kind: null }
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
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) }
  }
}

function okBadge(t: Messages, ok: HealthCheck['ok']): Html {
  if (ok === null) return html`<span class="badge">${t.health.off}</span>`
  return ok
    ? html`<span class="badge badge-dot badge-good">${t.health.ok}</span>`
    : html`<span class="badge badge-dot badge-bad">${t.health.wrong}</span>`
}

function healthTable({ t }: Signed, checks: readonly HealthCheck[]): Html {
  return factList(
    checks.map(({ name, ok, detail }) => [t.health.names[name], html`${okBadge(t, ok)} ${detail}`]),
  )
}

async function healthPage(visit: Signed): Promise<PageAnswer> {
  const { t } = visit
  return {
    title: t.nav.health,
    section: 'health',
    body: html`${pageHead(visit, { title: t.nav.health, subtitle: t.health.subtitle })}
      <section class="card">${healthTable(visit, await healthChecks(visit))}</section>`,
  }
}

export const healthPages: readonly Page[] = [personPage('GET', '/operator/health', 'operator', healthPage)]
