/**
 * The audit log: who changed agencies, keys and accounts, and who signed in. Operators see all, owners that of their agency.
 */
import {
  acts,
  type AuditEntry,
  type AuditFilter,
  type AuditView,
  listAudit,
  signIns,
} from '../../../access/accounts/audit.ts'
import { mostInCsv } from '../../../limits/table.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { formLabel } from '../field-labels.ts'
import { csvAnswer, csvLink, filterBox, periodAsked, periodFields, textAsked } from '../filters.ts'
import { inputField, selectField } from '../forms.ts'
import { agencyCrumbs, empty, pageAsked, pageHead, pager, sectionOf, tabs } from '../layout.ts'
import { tableHead } from '../tables.ts'
import { agencyPages, asData, type Page, type PageAnswer, personPage, type Signed } from '../visit.ts'

const perPage = 50

export function auditTable(visit: Signed, entries: readonly AuditEntry[]): Html {
  const { t, format, base } = visit
  const texts = t.audit
  const isOperator = visit.session.account.role === 'operator'
  if (entries.length === 0 && isFiltered(visit))
    return empty('search', t.console.audit.noMatch, t.console.audit.noMatchText)
  if (entries.length === 0) return empty('audit', texts.none, texts.noneText)
  return html`<table class="table table-fold">
    ${tableHead(t.nav.audit, [texts.what, texts.who, ...(isOperator ? [texts.agency] : []), texts.at])}
    <tbody>
      ${entries.map(
        (entry) =>
          html`<tr>
            <td class="lead">
              <p>
                <span class="strong">${texts.actions[entry.action] ?? entry.action}</span>
                <code>${entry.subject}</code>
              </p>
              ${detailsOf(visit, entry)}
            </td>
            <td data-label="${texts.who}">${whoOf(visit, entry)}</td>
            ${
              isOperator &&
              html`<td data-label="${texts.agency}">
                ${entry.agency_slug !== null && html`<a href="${base}/dashboard/operator/agencies/${entry.agency_slug}">${entry.agency_slug}</a>`}
              </td>`
            }
            <td data-label="${texts.at}" class="nowrap">${format.moment(entry.at)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function detailsOf({ t, language, format }: Signed, { details }: AuditEntry): Html {
  const words: Record<string, string> = { ...t.roles, ...t.mailPreference.languages }
  const labels: Record<string, string> = t.limits
  const states: Record<string, string> = t.listings.stateChanges
  const stateOf = (name: string) => states[name] ?? name
  const valueText = (name: string, value: unknown): string => {
    if (typeof value === 'boolean') return value ? t.common.yes : t.common.no
    if (typeof value === 'number') return format.number(value)
    if (name === 'at' || name === 'until') return format.plainMoment(String(value))
    if (name === 'unwanted') return String(value).split(' ').map(stateOf).join(', ')
    if (name === 'fields' && Array.isArray(value))
      return value.map((one) => formLabel({ t, language }, String(one))).join(', ')
    if (name === 'cleared') return labels[String(value)] ?? t.limitChanges.all
    return name === 'role' || name === 'language' ? (words[String(value)] ?? String(value)) : String(value)
  }
  const parts = Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${t.audit.details[name] ?? labels[name] ?? name}: ${valueText(name, value)}`)
  return html`${parts.length > 0 && html`<p class="small muted">${parts.join(', ')}</p>`}`
}

/** Agencies see that it was an operator, not which one. */
function whoOf({ t, session }: Signed, { actor_kind: kind, actor_name: name }: AuditEntry): string {
  if (kind !== 'person' && session.account.role !== 'operator') return t.roles.operator
  const user = /^command line \((.*)\)$/.exec(name)?.[1]
  return kind === 'system' && user !== undefined ? t.audit.commandLine(user) : name
}

function homeOf({ agency }: Signed): string {
  return agency === null ? '/dashboard/operator/audit' : `${agency.path}/audit`
}

function viewOf({ query }: Signed): AuditView {
  return query.get('view') === 'sign-ins' ? 'sign-ins' : 'acts'
}

/** Agencies do not see which operator it was, so they cannot search for one. */
function filterOf({ query, session }: Signed): AuditFilter {
  const text = (name: string) => textAsked(query, name)
  const action = text('action')
  const isOperator = session.account.role === 'operator'
  return {
    who: isOperator ? text('who') : null,
    action: [...acts, ...signIns].find((one) => one === action) ?? null,
    subject: text('subject'),
    agency: isOperator ? text('agency') : null,
    ...periodAsked(query),
  }
}

const filterNames = ['who', 'action', 'subject', 'agency', 'from', 'to'] as const

function isFiltered({ query }: Signed): boolean {
  return filterNames.some((name) => (query.get(name) ?? '') !== '')
}

/** The URL's view and filters, with other values for some. */
function queryOf(visit: Signed, changes: Readonly<Record<string, string>> = {}): string {
  const kept = filterNames.map((name) => [name, visit.query.get(name) ?? ''] as const)
  const wanted = { view: viewOf(visit), ...Object.fromEntries(kept), ...changes }
  const given = Object.entries<string>(wanted).filter(([, value]) => value !== '')
  return `?${new URLSearchParams(given).toString()}`
}

function filterForm(visit: Signed): Html {
  const { t, query, session } = visit
  const texts = t.console.audit
  const value = (name: string) => query.get(name) ?? ''
  const actions = viewOf(visit) === 'acts' ? acts : signIns
  const isOperator = session.account.role === 'operator'
  const fields = html`<input type="hidden" name="view" value="${viewOf(visit)}" />
    ${selectField({ name: 'action', label: texts.what, value: value('action'), choices: [['', texts.anything], ...actions.map((one) => [one, t.audit.actions[one] ?? one] as const)] })}
    ${inputField({ name: 'subject', label: texts.subject, value: value('subject'), maxlength: 200 })}
    ${isOperator && inputField({ name: 'who', label: texts.who, value: value('who'), maxlength: 200 })}
    ${isOperator && visit.agency === null && inputField({ name: 'agency', label: texts.agency, value: value('agency'), placeholder: 'rio-propiedades', maxlength: 63 })}
    ${periodFields(visit)}`
  const path = homeOf(visit)
  return filterBox(visit, {
    path,
    all: `${path}?view=${viewOf(visit)}`,
    isFiltered: isFiltered(visit),
    fields,
  })
}

async function auditPage(visit: Signed): Promise<PageAnswer> {
  const { t, deps, base, query, agency, format } = visit
  const home = homeOf(visit)
  const view = viewOf(visit)
  const page = pageAsked(query)
  const window = { view, limit: perPage, offset: (page - 1) * perPage, filter: filterOf(visit) }
  const { entries, hasMore } = await listAudit(deps.db, agency?.id ?? null, window)
  const views = (['acts', 'sign-ins'] as const).map(
    (one) => [t.audit.views[one], `${home}?view=${one}`, one === view] as const,
  )
  return {
    title: t.nav.audit,
    section: agency === null ? 'audit' : sectionOf(visit, 'people'),
    body: html`${pageHead(visit, { title: t.nav.audit, subtitle: t.audit.subtitle, crumbs: agencyCrumbs(visit) })}
      <div class="stack">
        ${tabs(visit, t.nav.audit, views)} ${filterForm(visit)}
        <section class="card card-flush">${auditTable(visit, entries)}</section>
        ${(page > 1 || hasMore) && pager(visit, page, hasMore, t.common.page(page), (target) => `${base}${home}${queryOf(visit, { page: String(target) })}`)}
        ${entries.length > 0 && csvLink(visit, `${base}${home}.csv${queryOf(visit)}`, t.common.csvNote(format.number(mostInCsv)))}
      </div>`,
  }
}

async function csvPage(visit: Signed): Promise<PageAnswer> {
  const { t, deps, agency } = visit
  const texts = t.console.audit
  const window = { view: viewOf(visit), limit: mostInCsv, offset: 0, filter: filterOf(visit) }
  const { entries } = await listAudit(deps.db, agency?.id ?? null, window)
  const rows = entries.map((entry) => [
    entry.at,
    entry.action,
    entry.subject,
    whoOf(visit, entry),
    entry.agency_slug,
    JSON.stringify(entry.details),
  ])
  const heads = [texts.at, texts.what, texts.subject, texts.who, texts.agency, texts.details]
  return csvAnswer(visit, 'audit.csv', heads, rows)
}

export const auditPages: readonly Page[] = [
  personPage('GET', '/operator/audit', 'operator', auditPage),
  ...agencyPages('GET', '/audit', 'owner', auditPage),
  ...asData([personPage('GET', '/operator/audit.csv', 'operator', csvPage)]),
  ...asData(agencyPages('GET', '/audit.csv', 'owner', csvPage)),
]
