/**
 * Creating, replacing and revoking keys. A new key is shown once, in the response to its form. The form names the id of the
 * key it creates, so sending it again creates no second key.
 */
import { inTransaction } from '../../../platform/db/transaction.ts'
import { isUuid, uuidv7 } from '../../../platform/ids.ts'
import { notifyOwners } from '../../../access/accounts/notices.ts'
import type { Tx } from '../../../platform/db/connection.ts'
import { invalid } from '../../../platform/errors.ts'
import { withTwin } from '../../../operations/demo/test-environment.ts'
import { checkActiveKeys, lockKeys } from '../../../access/keys/check-active-keys.ts'
import { allScopes, checkScopes, mayWrite, type Scope } from '../../../access/keys/key-rules.ts'
import {
  createKey,
  getKey,
  type NewKey,
  planKey,
  revokeKey,
  rotateKey,
  setRevocation,
} from '../../../access/keys/keys.ts'
import { sizeLimits } from '../../../limits/table.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { testAgencyOf } from '../access.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import { choiceField, choiceGroup, inputField, type Problems, textareaField } from '../../framework/fields.ts'
import { copyButton, notice, notRefused, postForm, problemSummary, type Refusal } from '../forms.ts'
import { agencyCrumbs, pageHead, sectionOf } from '../page-parts.ts'
import { problemsOf } from '../problems.ts'
import { agencyPages, type AgencyVisit, type Page, type PageResponse, withTestPages } from '../visit.ts'
import { firstSteps, firstStepScripts } from './first-steps.ts'
import { keyPage } from './keys.ts'

function newKeyPage(visit: AgencyVisit, { problems, status }: Refusal = notRefused): PageResponse {
  const { t, form, agency, base } = visit
  const texts = t.keys
  const isFresh = !form.has('name')
  const kind = form.get('kind') ?? visit.query.get('kind')
  const chosen = isFresh ? ['properties:read'] : form.getAll('scopes')
  return {
    title: texts.create,
    section: sectionOf(visit, 'keys'),
    status,
    body: html`${pageHead(visit, { title: texts.create, subtitle: texts.createText, crumbs: [...agencyCrumbs(visit), [t.nav.keys, `${agency.path}/keys`]] })}
      <div class="card stack-l">
        ${problemSummary(visit, problems, { labels: { name: texts.nameLabel, scopes: texts.scopes, expires_at: texts.expiresLabel, allowed_origins: texts.originsLabel } })}${postForm(
          visit,
          `${agency.path}/keys/new`,
          html`<div class="stack-l">
            <input type="hidden" name="new_id" value="${uuidv7()}" />
            ${inputField({ name: 'name', label: texts.nameLabel, hint: texts.nameHint, value: form.get('name') ?? '', problems, required: true, maxlength: 120, autofocus: isFresh })}
            ${!agency.isTest && kindFields(visit, kind ?? (isFresh ? 'live' : ''), problems)}
            ${choiceGroup({
              name: 'scopes',
              legend: texts.scopes,
              problems,
              choices: html`<div class="form-row">
                ${allScopes.map((held) =>
                  choiceField({
                    name: 'scopes',
                    value: held,
                    label: html`<code>${held}</code>`,
                    hint: texts.scopeHints[held],
                    chosen: chosen.includes(held),
                  }),
                )}
              </div>`,
            })}
            ${inputField({ name: 'expires_at', label: texts.expiresLabel, hint: texts.expiresHint, type: 'date', value: form.get('expires_at') ?? '', problems })}
            <div
              ${!agency.isTest && html` data-never-with="scopes properties:write leads:write" data-unless="kind test"`}
            >
              ${textareaField({ name: 'allowed_origins', label: texts.originsLabel, hint: texts.originsHint(sizeLimits.allowed_origins), placeholder: 'https://www.example.com', value: form.get('allowed_origins') ?? '', problems, rows: 3 })}
            </div>
            ${choiceField({ name: 'signature_required', value: 'yes', label: texts.signatureLabel, hint: texts.signatureHint, chosen: form.has('signature_required') })}
            <div class="form-actions">
              <button class="button button-primary">${texts.create}</button
              ><a class="button button-quiet" href="${base}${agency.path}/keys">${t.common.cancel}</a>
            </div>
          </div>`,
        )}
      </div>`,
  }
}

/** The choice between a live and a test key. */
function kindFields({ t }: AgencyVisit, kind: string, problems: Problems): Html {
  const choice = (value: string, label: string, hint: string) =>
    choiceField({ name: 'kind', value, label, hint, chosen: value === kind, type: 'radio' })
  const choices = html`<div class="form-row">
    ${choice('live', t.test.live, t.test.liveHint)}${choice('test', t.test.test, t.test.testHint)}
  </div>`
  return choiceGroup({ name: 'kind', legend: t.test.kind, problems, choices })
}

/** The key in full, shown once. */
function shownOncePage(visit: AgencyVisit, made: NewKey, old: string | null): PageResponse {
  const { t, agency, base } = visit
  const texts = t.keys
  return {
    title: texts.madeTitle,
    section: sectionOf(visit, 'keys'),
    scripts: firstStepScripts,
    body: html`${pageHead(visit, { title: texts.madeTitle, crumbs: [...agencyCrumbs(visit), [t.nav.keys, `${agency.path}/keys`]] })}
      <div class="card stack-l">
        ${notice('warn', texts.onlyNow)}
        <div class="stack-s">
          <div class="row-apart">
            <h2>${texts.theKey}</h2>
            ${copyButton(visit, 'new-key')}
          </div>
          <code class="code secret" id="new-key">${made.key}</code>
        </div>
        ${
          made.signing_secret !== undefined &&
          html`<div class="stack-s">
            <div class="row-apart">
              <h2>${texts.theSecret}</h2>
              ${copyButton(visit, 'new-secret')}
            </div>
            <code class="code secret" id="new-secret">${made.signing_secret}</code>
            <p class="small muted">${texts.secretText}</p>
          </div>`
        }
        ${firstSteps(visit, made)}
        ${old !== null && html`<p>${texts.oldWorks} <a href="${base}${agency.path}/keys/${old}">${texts.old}</a></p>`}
        <div class="form-actions">
          <a class="button button-primary" href="${base}${agency.path}/keys/${made.id}">${texts.keptIt}</a>
        </div>
      </div>`,
  }
}

function keyDeps({ deps }: AgencyVisit) {
  return { secretBox: deps.secretBox, clock: deps.clock, serviceName: deps.config.serviceName }
}

/** The id that the form names. */
function newId({ form }: AgencyVisit): string {
  const id = form.get('new_id') ?? ''
  return isUuid(id) ? id : uuidv7()
}

/** Writing listings includes reading them; the leads scopes include no other. */
function scopesOf(form: URLSearchParams): string[] {
  const chosen = form.getAll('scopes')
  const known = chosen.filter((one) => (allScopes as readonly string[]).includes(one))
  return known.length === chosen.length ? (checkScopes(chosen) as Scope[]) : chosen
}

/** Mails every owner about a key that can write. */
async function notifyOfWritingKey(tx: Tx, visit: AgencyVisit, made: NewKey, name: string): Promise<void> {
  if (!mayWrite(made.scopes)) return
  const { id: key_id, prefix } = made
  const by = visit.session.account.name
  await notifyOwners(tx, visit.agency.id, { kind: 'writing_key', by, key_id, name, prefix }, visit.deps.clock)
}

/** Creates a live or a test key. The first test key creates the test environment. */
async function create(visit: AgencyVisit): Promise<PageResponse> {
  const { form, deps, agency } = visit
  const kind = form.get('kind') ?? ''
  const isTest = kind === 'test' && !agency.isTest
  const input = {
    id: newId(visit),
    name: form.get('name')?.trim() ?? '',
    scopes: scopesOf(form),
    expires_at: form.get('expires_at') || null,
    allowed_origins: (form.get('allowed_origins') ?? '').split(/[\s,]+/).filter((one) => one !== ''),
    signature_required: form.has('signature_required'),
  }
  try {
    if (!agency.isTest && !isTest && kind !== 'live')
      throw invalid('kind', 'kind must be live or test.', 'key_kind_missing')
    if (isTest) await planKey(deps.db, input, 'test', deps.clock)
    const make = async (tx: Tx, of: { id: string }): Promise<NewKey> => {
      await lockKeys(tx, of.id)
      const key = await createKey(tx, of.id, input, keyDeps(visit))
      await checkActiveKeys(tx, of.id, 'new', deps.clock)
      await note(tx, visit, 'key_created', agency.realId, `${key.prefix}…`, { name: input.name })
      await notifyOfWritingKey(tx, { ...visit, agency: { ...agency, id: of.id } }, key, input.name)
      return key
    }
    if (!isTest) return shownOncePage(visit, await inTransaction(deps.db, (tx) => make(tx, agency)), null)
    const made = await withTwin(deps, agency, make)
    const twin = await testAgencyOf(visit, agency)
    return shownOncePage({ ...visit, agency: twin ?? agency }, made, null)
  } catch (error) {
    return newKeyPage(visit, problemsOf(visit, error, { id: '', test: 'kind' }))
  }
}

async function rotate(visit: AgencyVisit): Promise<PageResponse> {
  const { form, deps, agency, params } = visit
  const old = await getKey(deps.db, agency.id, params['key'] ?? '', deps.clock)
  const revokesOn = form.get('revokes_on') || null
  try {
    const made = await inTransaction(deps.db, async (tx) => {
      await lockKeys(tx, agency.id)
      if (revokesOn !== null) await setRevocation(tx, agency.id, old.id, revokesOn, deps.clock)
      const key = await rotateKey(tx, agency.id, old.id, keyDeps(visit), newId(visit))
      await checkActiveKeys(tx, agency.id, 'replacement', deps.clock)
      await note(tx, visit, 'key_rotated', agency.realId, `${old.prefix}…`, { new: `${key.prefix}…` })
      await notifyOfWritingKey(tx, visit, key, old.name)
      return key
    })
    return shownOncePage(visit, made, revokesOn === null ? old.id : null)
  } catch (error) {
    return await keyPage(visit, problemsOf(visit, error, { id: '', revokes_at: '' }))
  }
}

async function setEnd(visit: AgencyVisit): Promise<PageResponse> {
  const { form, deps, agency, params } = visit
  const key = await getKey(deps.db, agency.id, params['key'] ?? '', deps.clock)
  const at = form.get('revokes_at') || null
  try {
    await inTransaction(deps.db, async (tx) => {
      await setRevocation(tx, agency.id, key.id, at, deps.clock)
      await note(tx, visit, 'key_end_set', agency.realId, `${key.prefix}…`, { at })
    })
  } catch (error) {
    return await keyPage(visit, problemsOf(visit, error, { id: '' }))
  }
  return { to: `${agency.path}/keys/${key.id}`, flash: succeeded(at === null ? 'keyEndTaken' : 'keyEndSet') }
}

async function revoke(visit: AgencyVisit): Promise<PageResponse> {
  const { deps, agency, params } = visit
  const key = await getKey(deps.db, agency.id, params['key'] ?? '', deps.clock)
  await inTransaction(deps.db, async (tx) => {
    await revokeKey(tx, agency.id, key.id, deps.clock)
    await note(tx, visit, 'key_revoked', agency.realId, `${key.prefix}…`, { name: key.name })
  })
  return { to: `${agency.path}/keys`, flash: succeeded('keyRevoked', key.name) }
}

export const keyWritePages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/keys/new', 'owner', async (visit) => newKeyPage(visit)),
  ...agencyPages('POST', '/keys/new', 'owner', create),
  ...agencyPages('POST', '/keys/:key/rotate', 'owner', rotate),
  ...agencyPages('POST', '/keys/:key/end', 'owner', setEnd),
  ...agencyPages('POST', '/keys/:key/revoke', 'owner', revoke),
])
