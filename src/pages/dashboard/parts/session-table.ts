/** The table of a person's sessions, each with a button that ends it. */
import type { ListedSession } from '../../../access/accounts/sign-in/sessions.ts'
import { browserName } from '../../../platform/web/browser-name.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { postForm } from '../forms/forms.ts'
import type { PersonRequest } from '../serving/page.ts'
import { type Column, table } from './tables.ts'

/** @param path of the sessions; the form that ends one is below it */
export function sessionTable(request: PersonRequest, sessions: readonly ListedSession[], path: string): Html {
  const { t, format, session } = request
  const texts = t.account
  const nameOf = ({ user_agent: agent }: ListedSession) => browserName(agent) ?? texts.unknownDevice
  const endButton = (one: ListedSession) =>
    html`<button class="button button-small">
      ${texts.end}<span class="visually-hidden"> ${nameOf(one)}</span>
    </button>`
  const columns: Column<ListedSession>[] = [
    {
      title: texts.device,
      cell: (one) =>
        html`<span class="strong">${nameOf(one)}</span>
          ${one.id === session.id && html`<span class="badge badge-info">${texts.thisOne}</span>`}`,
    },
    { title: texts.ip, cell: ({ ip }) => ip, className: 'mono' },
    { title: texts.since, cell: (one) => format.moment(one.created_at) },
    { title: t.common.lastUsed, cell: (one) => format.ago(one.seen_at) },
    {
      title: t.common.actions,
      cell: (one) => one.id !== session.id && postForm(request, `${path}/${one.id}/end`, endButton(one)),
      className: 'end',
      hidesTitle: true,
    },
  ]
  return table(columns, sessions)
}
