/** Requests that cause each error of the catalogue, as an integrator would. */
import { setAgencyActive } from '../../../src/agencies/agencies.ts'
import type { ErrorCode } from '../../../src/platform/errors/error-catalogue.ts'
import { revokeKey } from '../../../src/access/keys/keys.ts'
import { type ApiResponse, type Ask, photoUrls, publishable, type TestApp } from '../../support/app/app.ts'
import { signedHeaders, stamp } from '../admission/signed-requests.ts'

type Whose = Awaited<ReturnType<TestApp['newAgency']>>
type Send = (method: string, path: string, ask?: Ask) => Promise<ApiResponse>

/** Sends with the write key of an agency that is still empty, unless another key is given. */
type Recipe = (ask: Send, t: TestApp, whose: Whose) => Promise<ApiResponse>

/** Codes that no request can cause: they come from slow clients, defects and outages. */
type Unmakeable =
  | 'request_timeout'
  | 'internal_error'
  | 'service_unavailable'
  | 'idempotent_request_in_progress'

const idOf = ({ body }: ApiResponse) => String(body.data['id'])
const draft = { title: 'Casa' }

/** The last response of each recipe is the error. */
export const errorRecipes: Record<Exclude<ErrorCode, Unmakeable>, Recipe> = {
  invalid_parameter: (ask) =>
    ask('POST', '/properties', { body: { title: 5, price: { amount: 1, currency: 'EUR' } } }),
  idempotency_key_required: (ask) =>
    ask('POST', '/properties', { body: draft, headers: { 'idempotency-key': '' } }),
  missing_api_key: (ask) => ask('GET', '/me', { key: null }),
  invalid_api_key: (ask) => ask('GET', '/me', { key: `svc_live_${'1'.repeat(40)}` }),
  async revoked_api_key(ask, t, { agency }) {
    const { id, key } = await t.newKey(agency.id, { scopes: ['properties:read'] })
    await revokeKey(t.deps.db, agency.id, id, t.clock)
    return ask('GET', '/me', { key })
  },
  async expired_api_key(ask, t, { agency }) {
    const { id, key } = await t.newKey(agency.id, { scopes: ['properties:read'] })
    const past = new Date(Date.now() - 86_400_000).toISOString()
    await t.deps.db.updateTable('api_keys').set({ expires_at: past }).where('id', '=', id).execute()
    return ask('GET', '/me', { key })
  },
  async invalid_signature(ask, t, { agency }) {
    const { key } = await t.newKey(agency.id, { scopes: ['properties:read'], signature_required: true })
    return ask('GET', '/me', { key })
  },
  async replay_detected(ask, t, { agency }) {
    const made = await t.newKey(agency.id, { scopes: ['properties:read'], signature_required: true })
    const wire = { method: 'GET', path: '/api/v1/me' }
    const headers = signedHeaders(made.signing_secret ?? '', await stamp(t), wire)
    await ask('GET', '/me', { key: made.key, headers })
    return ask('GET', '/me', { key: made.key, headers })
  },
  async agency_not_active(ask, t, { agency }) {
    await setAgencyActive(t.deps.db, agency.slug, false, t.clock)
    return ask('GET', '/me')
  },
  insufficient_scope: (ask, _t, { readKey }) => ask('POST', '/properties', { key: readKey, body: draft }),
  origin_not_allowed: (ask) => ask('GET', '/me', { headers: { origin: 'https://shop.example' } }),
  forbidden: (ask) => ask('GET', '/me', { headers: { 'user-agent': 'GPTBot/1.0' } }),
  not_found: (ask) => ask('GET', '/properties/ZZZZ9999'),
  method_not_allowed: (ask) => ask('DELETE', '/me'),
  async duplicate_property(ask) {
    const body = { address: 'Gorriti 4800', location: { city: 'Buenos Aires', lat: -34.59, lng: -58.43 } }
    await ask('POST', '/properties', { body })
    return ask('POST', '/properties', { body })
  },
  async external_id_exists(ask) {
    await ask('POST', '/properties', { body: { external_id: 'CRM-1042' } })
    return ask('POST', '/properties', { body: { external_id: 'CRM-1042' } })
  },
  async precondition_failed(ask) {
    const created = await ask('POST', '/properties', { body: draft })
    return ask('PATCH', `/properties/${idOf(created)}`, { body: draft, headers: { 'if-match': '"old"' } })
  },
  payload_too_large: (ask) => ask('POST', '/properties', { body: { description: 'a'.repeat(262_144) } }),
  unsupported_media_type: (ask) =>
    ask('POST', '/properties', { raw: '{}', headers: { 'content-type': 'text/plain' } }),
  insufficient_photos: (ask) => ask('POST', '/properties', { body: publishable({ photos: photoUrls(1) }) }),
  too_many_photos: (ask) => ask('POST', '/properties', { body: publishable({ photos: photoUrls(51) }) }),
  not_publishable: (ask) => ask('POST', '/properties', { body: publishable({ price: null, photos: [] }) }),
  async idempotency_key_reuse(ask) {
    const headers = { 'idempotency-key': 'crm-1042-create-1' }
    await ask('POST', '/properties', { body: draft, headers })
    return ask('POST', '/properties', { body: { title: 'Lote' }, headers })
  },
  photo_ingest_failed: (ask) =>
    ask('POST', '/properties', { body: { photos: ['https://images.example/missing.jpg'] } }),
  async rate_limited(ask) {
    const body = { address: 'Gorriti 4800' }
    await ask('POST', '/geocode', { body })
    return ask('POST', '/geocode', { body })
  },
  headers_too_large: (ask) => ask('GET', '/me', { headers: { 'x-long': 'a'.repeat(20_000) } }),
}
