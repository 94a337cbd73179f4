/**
 * Forms whose sender confirms their identity with the password or, without one, with a passkey. The screen may have been left unlocked.
 */
import type { AuditAction } from '../../../access/audit-log/entries.ts'
import { asVerified, confirmPasskey, confirmPassword } from '../../../access/accounts/sign-in/confirm.ts'
import { notifyAccount, type NoticeEvent } from '../../../access/accounts/mails/notices.ts'
import type { Verified } from '../../../access/accounts/sign-in/sessions.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import { html, type Html, type Piece } from '../../../platform/web/html.ts'
import { auditPerson, passkeyDeps } from '../actor.ts'
import { fieldForm, passwordField } from './forms.ts'
import type { PersonRequest } from '../serving/page.ts'
import { passkeyForm, passkeyScripts } from './passkey-form.ts'

/** The path of the options for a passkey that confirms. */
export const confirmPath = '/dashboard/account/passkeys/confirm'

export function currentPassword(request: PersonRequest): Html {
  return passwordField(request, 'current', request.t.account.currentPassword, 'current-password')
}

export function confirmedForm(
  request: PersonRequest,
  action: string,
  fields: Piece,
  button: Piece,
  options: Readonly<{ look?: string; cancel?: string }> = {},
): Html {
  return request.session.account.has_password
    ? fieldForm(request, action, html`${fields}${currentPassword(request)}`, button, options)
    : passkeyForm(request, action, { get: confirmPath }, fields, button, options)
}

/** The scripts of a page with a confirmed form. */
export function confirmScripts({ session }: PersonRequest): readonly string[] {
  return session.account.has_password ? [] : passkeyScripts
}

/** @throws ApiError 400 `current`, `passkey`; `rate_limited`; `service_unavailable` */
export async function confirmIdentity(request: PersonRequest): Promise<Verified> {
  const { form, session, deps, device, csrf } = request
  const { account } = session
  return account.has_password
    ? await confirmPassword(deps, account, form.get('current') ?? '', device.ip)
    : await confirmPasskey(passkeyDeps(request), account, csrf, form.get('assertion') ?? '')
}

/** Acts once the sender is confirmed. The change, its entry in the log and its mail commit together. */
export async function confirmed<T>(
  request: PersonRequest,
  action: AuditAction,
  mail: NoticeEvent,
  act: (tx: Tx) => Promise<T>,
  details: Record<string, unknown> = {},
): Promise<T> {
  const { session, deps, device } = request
  const { account } = session
  const verified = await confirmIdentity(request)
  return await asVerified(deps, account, verified, device.ip, async (tx) => {
    const result = await act(tx)
    await auditPerson(tx, request, action, account, details)
    await notifyAccount(tx, account.id, mail, deps.clock)
    return result
  })
}
