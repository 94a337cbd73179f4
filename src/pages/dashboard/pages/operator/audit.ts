/** The audit log: who changed agencies, keys and accounts, and who signed in. Operators see all entries, owners those of their agency. */
import {
  acts,
  type AuditEntry,
  type AuditFilter,
  type AuditView,
  listAudit,
  signIns,
} from '../../../../access/accounts/audit.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { type Filter, isFiltered, chosenValue, typedPeriod, periodFilters, typedText } from '../../filters.ts'
import { empty, tabs } from '../../page-parts.ts'
import { formLabel } from '../../field-labels.ts'
import { type TablePage, withCsv } from '../../table-page.ts'
import { type Column, table } from '../../tables.ts'
import { agencyPages, personPage, type Signed } from '../../visit.ts'

/** The latest entries, as part of another page. */
export function auditPart(visit: Signed, entries: readonly AuditEntry[]): Html {
  if (entries.length === 0) return empty('audit', visit.t.audit.none, visit.t.audit.noneText)
  return table(columnsOf(visit), entries, { caption: visit.t.nav.audit })
}

function columnsOf(visit: Signed): (Column<AuditEntry> | false)[] {
  const { t, format, base } = visit
  const texts = t.audit
  return [
    {
      title: texts.what,
      cell: (entry) =>
        html`<p>
            <span class="strong">${texts.actions[entry.action] ?? entry.action}</span>
            <code>${entry.subject}</code>
          </p>
          ${detailsOf(visit, entry)}`,
    },
    { title: texts.who, cell: (entry) => whoOf(visit, entry) },
    isOperator(visit) && {
      title: t.common.agency,
      cell: ({ agency_slug: slug }) =>
        slug !== null && html`<a href="${base}/dashboard/operator/agencies/${slug}">${slug}</a>`,
    },
    { title: t.common.at, cell: ({ at }) => format.moment(at), className: 'nowrap' },
  ]
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

/** Agencies see that an operator acted, but not which one. */
function whoOf(visit: Signed, { actor_kind: kind, actor_name: name }: AuditEntry): string {
  const { t } = visit
  if (kind !== 'person' && !isOperator(visit)) return t.roles.operator
  const user = /^command line \((.*)\)$/.exec(name)?.[1]
  return kind === 'system' && user !== undefined ? t.audit.commandLine(user) : name
}

function isOperator({ session }: Signed): boolean {
  return session.account.role === 'operator'
}

function viewOf({ query }: Signed): AuditView {
  return query.get('view') === 'sign-ins' ? 'sign-ins' : 'acts'
}

function filtersOf(visit: Signed): Filter[] {
  const { t, agency } = visit
  const texts = t.console.audit
  const actions = viewOf(visit) === 'acts' ? acts : signIns
  const choices = actions.map((one) => [one, t.audit.actions[one] ?? one] as const)
  const who: Filter = { name: 'who', label: t.audit.who, maxlength: 200 }
  const slug = { placeholder: 'rio-propiedades', maxlength: 63 }
  return [
    { name: 'action', label: texts.what, choices: [['', texts.anything], ...choices] },
    { name: 'subject', label: texts.subject, maxlength: 200 },
    ...(isOperator(visit) ? [who] : []),
    ...(isOperator(visit) && agency === null ? [{ name: 'agency', label: t.common.agency, ...slug }] : []),
    ...periodFilters(visit),
  ]
}

/** Agencies cannot search by operator, because they do not see which one acted. */
function filterOf(visit: Signed): AuditFilter {
  const { query } = visit
  return {
    who: isOperator(visit) ? typedText(query, 'who') : null,
    action: chosenValue(query, 'action', [...acts, ...signIns]),
    subject: typedText(query, 'subject'),
    agency: isOperator(visit) ? typedText(query, 'agency') : null,
    ...typedPeriod(query),
  }
}

function auditPage(visit: Signed): TablePage<AuditEntry> {
  const { t, deps, agency } = visit
  const texts = t.console.audit
  const path = agency === null ? '/dashboard/operator/audit' : `${agency.path}/audit`
  const view = viewOf(visit)
  const filters = filtersOf(visit)
  return {
    title: t.nav.audit,
    section: agency === null ? 'audit' : 'people',
    path,
    subtitle: t.audit.subtitle,
    tabs: tabs(
      visit,
      t.nav.audit,
      (['acts', 'sign-ins'] as const).map((one) => [t.audit.views[one], `${path}?view=${one}`, one === view]),
    ),
    filters,
    parameters: ['view'],
    columns: columnsOf(visit),
    rowsPerPage: 50,
    find: async (window) => {
      const page = { ...window, view, filter: filterOf(visit) }
      const { entries, hasMore } = await listAudit(deps.db, agency?.id ?? null, page)
      return { rows: entries, hasNext: hasMore }
    },
    none: isFiltered(visit, filters)
      ? empty('search', texts.noMatch, texts.noMatchText)
      : empty('audit', t.audit.none, t.audit.noneText),
    csv: {
      filename: 'audit.csv',
      columns: [
        [t.common.at, ({ at }) => at],
        [texts.what, ({ action }) => action],
        [texts.subject, ({ subject }) => subject],
        [t.audit.who, (entry) => whoOf(visit, entry)],
        [t.common.agency, ({ agency_slug: slug }) => slug],
        [texts.details, ({ details }) => JSON.stringify(details)],
      ],
    },
  }
}

export const auditPages = withCsv(auditPage, (ending, handle) => [
  personPage('GET', `/operator/audit${ending}`, 'operator', handle),
  ...agencyPages('GET', `/audit${ending}`, 'owner', handle),
])
