/**
 * Creating, replacing and revoking keys. A new key is shown once, in the response to its form. The form names the id of the
 * key it creates, so sending it again creates no second key.
 */
import { checkActiveKeys, lockKeys } from '../../../../access/keys/check-active-keys.ts'
import { allScopes, checkScopes, hasWriteScope, type Scope } from '../../../../access/keys/key-rules.ts'
import {
  createKey,
  getKey,
  type NewKey,
  planKey,
  revokeKey,
  rotateKey,
  setRevocation,
} from '../../../../access/keys/keys.ts'
import { notifyOwners } from '../../../../access/accounts/mails/notices.ts'
import { nameLength, sizeLimits } from '../../../../limits/sizes.ts'
import { withTwin } from '../../../../samples/test-environment.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { inTransaction } from '../../../../platform/db/statements/transaction.ts'
import { invalid } from '../../../../platform/errors/errors.ts'
import { isUuid, uuidv7 } from '../../../../platform/names/ids.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { choiceField, choiceGroup, textareaField } from '../../../framework/fields.ts'
import { twinOf } from '../../serving/access.ts'
import { auditRequest } from '../../actor.ts'
import { succeeded } from '../../serving/flash.ts'
import { formHandler, inOneTransaction } from '../../forms/form-handlers.ts'
import { copyButton, fieldForm, formField, hiddenField, notice } from '../../forms/forms.ts'
import { framed, linkButton } from '../../parts/page-parts.ts'
import { problemsOf } from '../../forms/problems.ts'
import { agencyPages, type AgencyRequest, type PageRequest, withTestPages } from '../../serving/page.ts'
import { firstSteps, firstStepScripts } from '../home/first-steps.ts'
import { keyPage } from './keys.ts'

function newKeyPage(request: AgencyRequest) {
  const { t, form, agency, refusal } = request
  const { problems } = refusal
  const texts = t.keys
  const isFresh = !form.has('name')
  const chosen = isFresh ? ['properties:read'] : form.getAll('scopes')
  const scopes = allScopes.map((value) =>
    choiceField({
      name: 'scopes',
      value,
      label: html`<code>${value}</code>`,
      hint: texts.scopeHints[value],
      chosen: chosen.includes(value),
    }),
  )
  const fields = html`<div class="stack-l">
    ${hiddenField('new_id', uuidv7())}
    ${formField(request, { name: 'name', label: texts.nameLabel, hint: texts.nameHint, required: true, maxlength: nameLength, autofocus: isFresh })}
    ${!agency.isTest && kindFields(request, form.get('kind') ?? request.query.get('kind') ?? (isFresh ? 'live' : ''))}
    ${choiceGroup({ name: 'scopes', legend: texts.scopes, problems, choices: html`<div class="form-row">${scopes}</div>` })}
    ${formField(request, { name: 'expires_at', label: texts.expiresLabel, hint: texts.expiresHint, type: 'date' })}
    <div
      ${!agency.isTest && html` data-never-with="scopes properties:write leads:write" data-unless="kind test"`}
    >
      ${textareaField({ name: 'allowed_origins', label: texts.originsLabel, hint: texts.originsHint(sizeLimits.allowed_origins), placeholder: 'https://www.example.com', value: form.get('allowed_origins') ?? '', problems, rows: 3 })}
    </div>
    ${choiceField({ name: 'signature_required', value: 'yes', label: texts.signatureLabel, hint: texts.signatureHint, chosen: form.has('signature_required') })}
  </div>`
  const { nameLabel: name, scopes: scopesLabel, expiresLabel, originsLabel } = texts
  const cancel = `${agency.path}/keys`
  return framed(
    request,
    {
      title: texts.create,
      section: 'keys',
      subtitle: texts.createText,
      below: [[t.nav.keys, cancel]],
      labels: { name, scopes: scopesLabel, expires_at: expiresLabel, allowed_origins: originsLabel },
    },
    html`<div class="card">
      ${fieldForm(request, `${agency.path}/keys/new`, fields, texts.create, { cancel })}
    </div>`,
  )
}

function kindFields({ t, refusal: { problems } }: PageRequest, kind: string): Html {
  const choice = (value: string, label: string, hint: string) =>
    choiceField({ name: 'kind', value, label, hint, chosen: value === kind, type: 'radio' })
  const choices = html`<div class="form-row">
    ${choice('live', t.test.live, t.test.liveHint)}${choice('test', t.test.test, t.test.testHint)}
  </div>`
  return choiceGroup({ name: 'kind', legend: t.test.kind, problems, choices })
}

function shownOncePage(request: AgencyRequest, made: NewKey, old: string | null) {
  const { t, agency, base } = request
  const texts = t.keys
  const path = `${agency.path}/keys`
  const secret = (id: string, title: string, text: string) =>
    html`<div class="row-apart">
        <h2>${title}</h2>
        ${copyButton(request, id)}
      </div>
      <code class="code secret" id="${id}">${text}</code>`
  return framed(
    request,
    { title: texts.madeTitle, section: 'keys', scripts: firstStepScripts, below: [[t.nav.keys, path]] },
    html`<div class="card stack-l">
      ${notice('warn', texts.onlyNow)}
      <div class="stack-s">${secret('new-key', texts.theKey, made.key)}</div>
      ${
        made.signing_secret !== undefined &&
        html`<div class="stack-s">
          ${secret('new-secret', texts.theSecret, made.signing_secret)}
          <p class="small muted">${texts.secretText}</p>
        </div>`
      }
      ${firstSteps(request, made)}
      ${old !== null && html`<p>${texts.oldWorks} <a href="${base}${path}/${old}">${texts.old}</a></p>`}
      <div class="form-actions">
        ${linkButton(request, `${path}/${made.id}`, texts.keptIt, undefined, 'button-primary')}
      </div>
    </div>`,
  )
}

function keyDeps({ deps }: AgencyRequest) {
  return { secretBox: deps.secretBox, clock: deps.clock, serviceName: deps.config.serviceName }
}

function newId({ form }: AgencyRequest): string {
  const id = form.get('new_id') ?? ''
  return isUuid(id) ? id : uuidv7()
}

/** Adds the scope to read listings where the scope to write them was chosen. The leads scopes include no others. */
function scopesOf(form: URLSearchParams): string[] {
  const chosen = form.getAll('scopes')
  const known = chosen.filter((one) => (allScopes as readonly string[]).includes(one))
  return known.length === chosen.length ? (checkScopes(chosen) as Scope[]) : chosen
}

/** Mails every owner about a key that can write. */
async function notifyOfWritingKey(tx: Tx, request: AgencyRequest, made: NewKey, name: string): Promise<void> {
  if (!hasWriteScope(made.scopes)) return
  const { agency, deps, session } = request
  const { id: key_id, prefix } = made
  const mail = { kind: 'writing_key', by: session.account.name, key_id, name, prefix } as const
  await notifyOwners(tx, agency.id, mail, deps.clock)
}

/** Creates a live or a test key. The first test key creates the test environment. */
async function create(request: AgencyRequest) {
  const { form, deps, agency } = request
  const kind = form.get('kind') ?? ''
  const isTest = kind === 'test' && !agency.isTest
  const input = {
    id: newId(request),
    name: form.get('name')?.trim() ?? '',
    scopes: scopesOf(form),
    expires_at: form.get('expires_at') || null,
    allowed_origins: (form.get('allowed_origins') ?? '').split(/[\s,]+/).filter((one) => one !== ''),
    signature_required: form.has('signature_required'),
  }
  if (!agency.isTest && !isTest && kind !== 'live')
    throw invalid('kind', 'kind must be live or test.', 'key_kind_missing')
  if (isTest) await planKey(deps.db, input, 'test', deps.clock)
  const make = async (tx: Tx, owner: { id: string }): Promise<NewKey> => {
    await lockKeys(tx, owner.id)
    const key = await createKey(tx, owner.id, input, keyDeps(request))
    await checkActiveKeys(tx, owner.id, 'new', deps.clock)
    await auditRequest(tx, request, 'key_created', agency.realId, `${key.prefix}…`, { name: input.name })
    await notifyOfWritingKey(tx, { ...request, agency: { ...agency, id: owner.id } }, key, input.name)
    return key
  }
  if (!isTest) return shownOncePage(request, await inTransaction(deps.db, (tx) => make(tx, agency)), null)
  const made = await withTwin(deps, agency, make)
  const twin = await twinOf(request, agency)
  return shownOncePage({ ...request, agency: twin ?? agency }, made, null)
}

async function keyOf({ deps, agency, params }: AgencyRequest, tx: Tx) {
  return await getKey(tx, agency.id, params['key'] ?? '', deps.clock)
}

async function rotate(request: AgencyRequest, tx: Tx) {
  const { form, deps, agency } = request
  const old = await keyOf(request, tx)
  const revokesOn = form.get('revokes_on') || null
  await lockKeys(tx, agency.id)
  if (revokesOn !== null) await setRevocation(tx, agency.id, old.id, revokesOn, deps.clock)
  const key = await rotateKey(tx, agency.id, old.id, keyDeps(request), newId(request))
  await checkActiveKeys(tx, agency.id, 'replacement', deps.clock)
  await auditRequest(tx, request, 'key_rotated', agency.realId, `${old.prefix}…`, { new: `${key.prefix}…` })
  await notifyOfWritingKey(tx, request, key, old.name)
  return shownOncePage(request, key, revokesOn === null ? old.id : null)
}

async function setEnd(request: AgencyRequest, tx: Tx) {
  const { form, deps, agency } = request
  const key = await keyOf(request, tx)
  const at = form.get('revokes_at') || null
  await setRevocation(tx, agency.id, key.id, at, deps.clock)
  await auditRequest(tx, request, 'key_end_set', agency.realId, `${key.prefix}…`, { at })
  return { to: `${agency.path}/keys/${key.id}`, flash: succeeded(at === null ? 'keyEndTaken' : 'keyEndSet') }
}

async function revoke(request: AgencyRequest, tx: Tx) {
  const { deps, agency } = request
  const key = await keyOf(request, tx)
  await revokeKey(tx, agency.id, key.id, deps.clock)
  await auditRequest(tx, request, 'key_revoked', agency.realId, `${key.prefix}…`, { name: key.name })
  return { to: `${agency.path}/keys`, flash: succeeded('keyRevoked', key.name) }
}

/** Moves the problems of parameters to fields of other names; an empty name stands for the form as a whole. */
const renamed = (fields: Readonly<Record<string, string>>) => (request: AgencyRequest, error: unknown) =>
  problemsOf(request, error, { id: '', ...fields })
const creating = formHandler(create, newKeyPage, renamed({ test: 'kind' }))
const rotating = formHandler(inOneTransaction(rotate), keyPage, renamed({ revokes_at: '' }))
const settingEnd = formHandler(inOneTransaction(setEnd), keyPage, renamed({}))

export const keyWritePages = withTestPages([
  ...agencyPages('GET', '/keys/new', 'owner', newKeyPage),
  ...agencyPages('POST', '/keys/new', 'owner', creating),
  ...agencyPages('POST', '/keys/:key/rotate', 'owner', rotating),
  ...agencyPages('POST', '/keys/:key/end', 'owner', settingEnd),
  ...agencyPages('POST', '/keys/:key/revoke', 'owner', inOneTransaction(revoke)),
])
