/** The person's passkeys: add, rename and remove them, and remove the password once there are two. */
import {
  addPasskey,
  getPasskey,
  minWithoutPassword,
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
} from '../../../../access/accounts/passkeys/passkeys.ts'
import { missingProtection } from '../../../../access/accounts/sign-in/sessions.ts'
import { removePassword } from '../../../../access/accounts/sign-in/sign-in.ts'
import {
  creationOptions,
  requestOptions,
  verifyCreation,
} from '../../../../access/accounts/passkeys/webauthn.ts'
import { nameLength } from '../../../../limits/sizes.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { checkPersonName } from '../../../../platform/names/plain-name.ts'
import { browserName } from '../../../../platform/web/browser-name.ts'
import { html, type Html, nothing } from '../../../../platform/web/html.ts'
import { auditPerson, passkeyDeps } from '../../actor.ts'
import {
  confirmed,
  confirmedForm,
  confirmIdentity,
  confirmPath,
  confirmScripts,
  currentPassword,
} from '../../forms/confirmation.ts'
import { succeeded } from '../../serving/flash.ts'
import { formHandler, inOneTransaction } from '../../forms/form-handlers.ts'
import { fieldForm, formField, notice } from '../../forms/forms.ts'
import { asData, jsonResponse, personPage, type PersonRequest } from '../../serving/page.ts'
import { card, empty, framed, linkButton } from '../../parts/page-parts.ts'
import { passkeyForm, passkeyScripts } from '../../forms/passkey-form.ts'
import { agoOrNever, type Column, table } from '../../parts/tables.ts'
import { signedOut } from './entrance.ts'

const account = '/dashboard/account'
const path = `${account}/passkeys`
const removalPath = `${account}/password/remove`

async function passkeysPage(request: PersonRequest) {
  const { t, deps, session } = request
  const texts = t.passkeys
  const passkeys = await listPasskeys(deps.db, session.account.id)
  const isRequired = missingProtection(session, deps.config) === 'passkey'
  const canGoWithout = session.account.has_password && passkeys.length >= minWithoutPassword
  const [withoutTitle, withoutText, withoutButton] = texts.withoutPassword
  return framed(
    request,
    {
      title: texts.title,
      section: 'account',
      subtitle: texts.why,
      crumbs: [[t.nav.account, account]],
      labels: { name: t.common.name, current: t.account.currentPassword },
      scripts: passkeyScripts,
    },
    html`${isRequired && notice('warn', texts.required)}
      ${deps.config.relyingParty === null && notice('info', texts.notOffered)}
      <section class="card card-flush">
        ${passkeys.length === 0 ? empty('lock', texts.none, texts.noneText) : table(columnsOf(request), passkeys, { caption: texts.title })}
      </section>
      ${deps.config.relyingParty !== null && card(texts.add, additionForm(request))}
      ${
        canGoWithout &&
        card(
          withoutTitle,
          html`<p>${withoutText}</p>
            <p>${linkButton(request, removalPath, withoutButton)}</p>`,
        )
      }`,
  )
}

function columnsOf(request: PersonRequest): Column<Passkey>[] {
  const { t, base, format } = request
  const opening = ({ id, name }: Passkey) => html`<a class="row-link" href="${base}${path}/${id}">${name}</a>`
  return [
    { title: t.common.name, cell: opening },
    { title: t.common.created, cell: (one) => format.moment(one.created_at) },
    { title: t.common.lastUsed, cell: (one) => agoOrNever(request, one.used_at) },
  ]
}

const nameField = (request: PersonRequest, value: string, hint?: string): Html =>
  formField(request, {
    name: 'name',
    label: request.t.common.name,
    value,
    hint,
    required: true,
    maxlength: nameLength,
  })

function additionForm(request: PersonRequest): Html {
  const { t, session, device } = request
  const isByPassword = session.account.has_password
  const fields = html`${nameField(request, browserName(device.userAgent) ?? '', t.passkeys.nameHint)}
  ${isByPassword && currentPassword(request)}`
  const create = `${path}/new`
  const ceremonies = isByPassword ? { create } : { get: confirmPath, create }
  return passkeyForm(request, path, ceremonies, fields, t.passkeys.addNow)
}

async function add(request: PersonRequest) {
  const { form, session, deps, csrf } = request
  const name = checkPersonName(form.get('name') ?? '')
  const credential = await verifyCreation(passkeyDeps(request), csrf, form.get('credential') ?? '')
  const isRequired = missingProtection(session, deps.config) === 'passkey'
  await confirmed(
    request,
    'passkey_added',
    { kind: 'passkey_added', name },
    (tx) => addPasskey(tx, session, credential, name, deps.clock),
    { passkey: name },
  )
  return { to: isRequired ? '/dashboard' : path, flash: succeeded('passkeyAdded', name) }
}

async function passkeyOf({ deps, session, params }: PersonRequest): Promise<Passkey> {
  return await getPasskey(deps.db, session.account.id, params['passkey'] ?? '')
}

async function passkeyPage(request: PersonRequest) {
  const { t } = request
  const texts = t.passkeys
  const { id, name } = await passkeyOf(request)
  const [title, text, button] = texts.remove
  const removal = confirmedForm(request, `${path}/${id}/remove`, nothing, button, { look: 'button-danger' })
  return framed(
    request,
    {
      title: name,
      section: 'account',
      crumbs: [
        [t.nav.account, account],
        [texts.title, path],
      ],
      labels: { name: t.common.name, current: t.account.currentPassword },
      scripts: confirmScripts(request),
    },
    html`<div class="columns halves">
      ${card(texts.rename, fieldForm(request, `${path}/${id}/name`, nameField(request, name), t.common.save))}
      ${card(
        title,
        html`<p>${text}</p>
          ${removal}`,
      )}
    </div>`,
  )
}

async function rename(request: PersonRequest, tx: Tx) {
  const { session, form } = request
  const { id, name: was } = await passkeyOf(request)
  const name = checkPersonName(form.get('name') ?? '')
  await renamePasskey(tx, session.account.id, id, name)
  await auditPerson(tx, request, 'passkey_renamed', session.account, { name, was })
  return { to: path, flash: succeeded('passkeyRenamed') }
}

async function remove(request: PersonRequest) {
  const { id, name } = await passkeyOf(request)
  await confirmed(
    request,
    'passkey_removed',
    { kind: 'passkey_removed', name },
    (tx) => removePasskey(tx, request.session, id),
    { passkey: name },
  )
  return { to: path, flash: succeeded('passkeyRemoved', name) }
}

async function removalPage(request: PersonRequest) {
  const { t, deps, session } = request
  const passkeys = await listPasskeys(deps.db, session.account.id)
  if (!session.account.has_password || passkeys.length < minWithoutPassword) return { to: path }
  const [title, text, button] = t.passkeys.withoutPassword
  const form = confirmedForm(request, removalPath, nothing, button, { look: 'button-danger', cancel: path })
  return framed(
    request,
    {
      title,
      section: 'account',
      subtitle: text,
      crumbs: [
        [t.nav.account, account],
        [t.passkeys.title, path],
      ],
    },
    html`<div class="card">${form}</div>`,
  )
}

async function goWithoutPassword(request: PersonRequest) {
  const { session, device } = request
  if (!session.account.has_password) return { to: path }
  const verified = await confirmIdentity(request)
  const token = await removePassword(request.deps, session, verified, device.ip)
  if (token === null) return signedOut
  return { to: account, flash: succeeded('passwordRemoved'), session: token }
}

export const passkeyPages = [
  personPage('GET', '/account/passkeys', 'person', passkeysPage),
  personPage('POST', '/account/passkeys', 'person', formHandler(add, passkeysPage)),
  ...asData([
    personPage('GET', '/account/passkeys/new', 'person', async (request) =>
      jsonResponse(await creationOptions(passkeyDeps(request), request.session.account, request.csrf)),
    ),
    personPage('GET', '/account/passkeys/confirm', 'person', async (request) => {
      const purpose = { act: 'confirm', formToken: request.csrf } as const
      return jsonResponse(await requestOptions(passkeyDeps(request), request.session.account, purpose))
    }),
  ]),
  personPage('GET', '/account/passkeys/:passkey', 'person', passkeyPage),
  personPage(
    'POST',
    '/account/passkeys/:passkey/name',
    'person',
    formHandler(inOneTransaction(rename), passkeyPage),
  ),
  personPage('POST', '/account/passkeys/:passkey/remove', 'person', formHandler(remove, passkeyPage)),
  personPage('GET', '/account/password/remove', 'person', removalPage),
  personPage('POST', '/account/password/remove', 'person', formHandler(goWithoutPassword, removalPage)),
]
