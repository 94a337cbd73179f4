/** The page of another person's sessions: owners and operators end those of an agency's people, and operators those of operators. */
import { endSession, endSessions, listSessions } from '../../../../access/accounts/sign-in/sessions.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { ApiError } from '../../../../platform/errors/errors.ts'
import { isUuid } from '../../../../platform/names/ids.ts'
import { html } from '../../../../platform/web/html.ts'
import { auditPerson } from '../../actor.ts'
import { succeeded } from '../../serving/flash.ts'
import { inOneTransaction } from '../../forms/form-handlers.ts'
import { buttonForm } from '../../forms/forms.ts'
import { agencyPages, type Page, type PersonRequest, personPage } from '../../serving/page.ts'
import { card, empty, framed } from '../../parts/page-parts.ts'
import { sessionTable } from '../../parts/session-table.ts'
import { groupOf, personOf } from './people.ts'

async function sessionsPage(request: PersonRequest) {
  const { t, deps } = request
  const texts = t.people
  const { agencyId, path } = groupOf(request)
  const { id, name, email } = await personOf(deps.db, request)
  const sessions = await listSessions(deps.db, id, deps.clock)
  const own = `${path}/people/${id}/sessions`
  return framed(
    request,
    {
      title: texts.sessionsOf(name),
      section: agencyId === null ? 'agencies' : 'people',
      subtitle: email,
      below: [[agencyId === null ? texts.operators : t.nav.people, `${path}/people`]],
    },
    sessions.length === 0
      ? html`<section class="card">${empty('people', texts.noSessions, texts.noSessionsText)}</section>`
      : card(
          t.account.sessions,
          sessionTable(request, sessions, own),
          buttonForm(request, `${own}/end`, {}, texts.endAll, 'button-small'),
          'card-flush',
        ),
  )
}

async function endAll(request: PersonRequest, tx: Tx) {
  const person = await personOf(tx, request)
  await endSessions(tx, person.id, null)
  await auditPerson(tx, request, 'person_sessions_ended', person)
  return { to: `${groupOf(request).path}/people`, flash: succeeded('personSessionsEnded', person.name) }
}

async function endOne(request: PersonRequest, tx: Tx) {
  const person = await personOf(tx, request)
  const ended = request.params['session'] ?? ''
  if (!isUuid(ended) || !(await endSession(tx, person.id, ended)))
    throw new ApiError('not_found', { message: 'There is no such session.' })
  await auditPerson(tx, request, 'person_sessions_ended', person)
  return { to: `${groupOf(request).path}/people/${person.id}/sessions`, flash: succeeded('sessionEnded') }
}

const pagesAt = (
  method: Page['method'],
  below: string,
  handle: Parameters<typeof personPage>[3],
): readonly Page[] => [
  ...agencyPages(method, `/people/:person/sessions${below}`, 'owner', handle),
  personPage(method, `/operator/people/:person/sessions${below}`, 'operator', handle),
]

export const peopleSessionPages = [
  ...pagesAt('GET', '', sessionsPage),
  ...pagesAt('POST', '/end', inOneTransaction(endAll)),
  ...pagesAt('POST', '/:session/end', inOneTransaction(endOne)),
]
