/** The operators' search box. It finds listings, agencies, people, keys, and requests and notifications by id. */
import { searchLength } from '../../../../limits/sizes.ts'
import { findSuccessor } from '../../../../agencies/former-slugs.ts'
import { findPeopleAnywhere } from '../../../../access/accounts/accounts.ts'
import { listAgencies, listTwins } from '../../../../agencies/agencies.ts'
import { findKeysAnywhere } from '../../../../access/keys/find-keys-anywhere.ts'
import { findRequestAnywhere } from '../../../../access/request-log/find-request-anywhere.ts'
import { findApiKey, withoutKeys } from '../../../../access/keys/key-format.ts'
import { findEventAnywhere, findListingsAnywhere } from '../../../../listings/reading/search-all-agencies.ts'
import { foldForSearch } from '../../../../listings/addresses/fold.ts'
import { html } from '../../../../platform/web/html.ts'
import { empty, framed } from '../../parts/page-parts.ts'
import { type Column, table } from '../../parts/tables.ts'
import { agenciesPath, personPage, type PersonRequest } from '../../serving/page.ts'
import { deliveryPath } from './delivery-parts.ts'

const home = '/dashboard/operator'
const maxAgencies = 20

type Kind = 'request' | 'listing' | 'agency' | 'person' | 'key' | 'event'
type Finding = Readonly<{ kind: Kind; label: string; detail: string; path: string }>

type Site = Readonly<{ name: string; path: string }>

async function findAll(request: PersonRequest, text: string): Promise<Finding[]> {
  const { t, deps } = request
  const { db } = deps
  const folded = foldForSearch(text)
  const [agencies, twins, logged, listings, people, keys, events, successor] = await Promise.all([
    listAgencies(db),
    listTwins(db),
    findRequestAnywhere(db, text),
    findListingsAnywhere(db, text),
    text.length < 2 ? [] : findPeopleAnywhere(db, text, folded),
    findKeysAnywhere(db, text),
    findEventAnywhere(db, text),
    findSuccessor(db, text.toLowerCase()),
  ])
  const sites = new Map<string, Site>(
    agencies.map(({ id, name, slug }) => [id, { name, path: `${agenciesPath}/${slug}` }]),
  )
  for (const { id, test_of: of } of twins) {
    const real = sites.get(of ?? '')
    if (real !== undefined)
      sites.set(id, { name: `${real.name} · ${t.test.title}`, path: `${real.path}/test` })
  }
  const at = (agencyId: string | null): Site =>
    sites.get(agencyId ?? '') ?? { name: t.people.operators, path: home }
  const named = agencies.filter(
    ({ name, slug }) => foldForSearch(name).includes(folded) || slug.includes(folded) || slug === successor,
  )
  const found = (kind: Kind, agencyId: string | null, label: string, below: string, removed = false) => {
    const { name, path } = at(agencyId)
    const detail = removed ? `${name} · ${t.listings.statuses.removed}` : name
    return { kind, label, detail, path: path + below }
  }
  return [
    ...(logged === null ? [] : [logged]).map((one) =>
      found(
        'request',
        one.agency_id,
        `${one.method} ${one.path} → ${one.status}`,
        `/requests/${one.request_id}`,
      ),
    ),
    ...listings.map((one) => {
      const label = `${one.public_id} ${one.title ?? ''}`
      return found('listing', one.agency_id, label, `/listings/${one.public_id}`, one.deleted_at !== null)
    }),
    ...named
      .slice(0, maxAgencies)
      .map((one) => ({ ...found('agency', one.id, one.name, ''), detail: one.slug })),
    ...people.map((one) =>
      found('person', one.agency_id, one.name === '' ? one.email : `${one.name} · ${one.email}`, '/people'),
    ),
    ...keys.map((one) => found('key', one.agency_id, `${one.name} · ${one.prefix}…`, `/keys/${one.id}`)),
    ...events.map((one) => ({
      ...found('event', one.agency_id, t.notifications.channels[one.channel], ''),
      path: deliveryPath(one.id, one.channel),
    })),
  ]
}

/** The box posts, because a key must not appear in a URL. The pasted text may include the key's header, or lack a character. */
async function search(request: PersonRequest) {
  const typed = (request.form.get('q') ?? '').trim()
  const text = typed.slice(0, searchLength)
  const whole = findApiKey(typed)
  if (whole === null && withoutKeys(text) === text)
    return { to: `${home}/find?q=${encodeURIComponent(text)}` }
  const [key] = whole === null ? [] : await findAll(request, whole)
  return key === undefined ? resultsPage(request, [], request.t.operator.find.noneOfKey) : { to: key.path }
}

/** The code or slug in the pasted URL of a public page; other texts stay unchanged. */
function withoutUrl(text: string): string {
  const [, agency, listing] = /\/inmobiliarias\/([^/?#\s]+)(?:\/([^/?#\s]+))?/.exec(text) ?? []
  return listing ?? agency ?? text
}

async function findPage(request: PersonRequest) {
  const text = withoutUrl((request.query.get('q') ?? '').trim()).slice(0, searchLength)
  if (text === '') return resultsPage(request, [], request.t.operator.find.hint)
  const found = await findAll(request, text)
  const [only] = found
  if (only !== undefined && found.length === 1) return { to: only.path }
  return resultsPage(request, found, request.t.operator.find.noneText)
}

function resultsPage(request: PersonRequest, found: readonly Finding[], noneText: string) {
  const { t, base } = request
  const texts = t.operator.find
  const columns: Column<Finding>[] = [
    {
      title: t.common.result,
      cell: ({ label, path }) => html`<a class="row-link" href="${base}${path}">${label}</a>`,
    },
    { title: texts.kind, cell: ({ kind }) => html`<span class="badge">${texts.kinds[kind]}</span>` },
    { title: t.common.agency, cell: ({ detail }) => detail },
  ]
  const none = empty('search', noneText === texts.hint ? texts.title : texts.none, noneText)
  return framed(
    request,
    { title: texts.title, section: 'agencies' },
    html`<section class="card card-flush">${found.length === 0 ? none : table(columns, found)}</section>`,
  )
}

export const findPages = [
  personPage('GET', '/operator/find', 'operator', findPage),
  personPage('POST', '/operator/find', 'operator', search),
]
