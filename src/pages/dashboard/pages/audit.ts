/** The audit log: who changed agencies, keys and accounts, and who signed in. Operators see all entries, owners those of their agency. */
import { slugLength } from '../../../limits/sizes.ts'
import {
  acts,
  type AuditEntry,
  type AuditFilter,
  type AuditView,
  listAudit,
  signIns,
} from '../../../access/audit-log/entries.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import {
  chosenValue,
  type Filter,
  isFiltered,
  periodFilters,
  typedPeriod,
  typedText,
} from '../parts/filters.ts'
import { empty, tabs } from '../parts/page-parts.ts'
import { formLabel } from '../forms/field-labels.ts'
import { type Column, table, type TablePage, withCsv } from '../parts/tables.ts'
import { agenciesPath, agencyPages, personPage, type PersonRequest } from '../serving/page.ts'

export function auditPart(request: PersonRequest, entries: readonly AuditEntry[]): Html {
  if (entries.length === 0) return empty('audit', request.t.audit.none, request.t.audit.noneText)
  return table(columnsOf(request), entries, { caption: request.t.nav.audit })
}

function columnsOf(request: PersonRequest): (Column<AuditEntry> | false)[] {
  const { t, format, base } = request
  const texts = t.audit
  return [
    {
      title: texts.what,
      cell: (entry) =>
        html`<p>
            <span class="strong">${texts.actions[entry.action] ?? entry.action}</span>
            <code>${entry.subject ?? t.common.erasedPerson}</code>
          </p>
          ${detailsOf(request, entry)}`,
    },
    { title: texts.who, cell: (entry) => whoOf(request, entry) },
    isOperator(request) && {
      title: t.common.agency,
      cell: ({ agency_slug: slug }) =>
        slug !== null && html`<a href="${base}${agenciesPath}/${slug}">${slug}</a>`,
    },
    { title: t.common.at, cell: ({ at }) => format.moment(at), className: 'nowrap' },
  ]
}

function detailsOf({ t, language, format }: PersonRequest, { details }: AuditEntry): Html {
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
function whoOf(request: PersonRequest, { actor_kind: kind, actor_name: name }: AuditEntry): string {
  const { t } = request
  if (kind !== 'person' && !isOperator(request)) return t.roles.operator
  if (name === null) return t.common.erasedPerson
  const user = /^command line \((.*)\)$/.exec(name)?.[1]
  return kind === 'system' && user !== undefined ? t.audit.commandLine(user) : name
}

function isOperator({ session }: PersonRequest): boolean {
  return session.account.role === 'operator'
}

function viewOf({ query }: PersonRequest): AuditView {
  return query.get('view') === 'sign-ins' ? 'sign-ins' : 'acts'
}

function filtersOf(request: PersonRequest): Filter[] {
  const { t, agency } = request
  const texts = t.audit
  const actions = viewOf(request) === 'acts' ? acts : signIns
  const choices = actions.map((one) => [one, texts.actions[one] ?? one] as const)
  const who: Filter = { name: 'who', label: texts.who, maxlength: 200 }
  const slug = { placeholder: 'rio-propiedades', maxlength: slugLength }
  return [
    { name: 'action', label: texts.action, choices: [['', texts.anything], ...choices] },
    { name: 'subject', label: texts.subject, maxlength: 200 },
    ...(isOperator(request) ? [who] : []),
    ...(isOperator(request) && agency === null ? [{ name: 'agency', label: t.common.agency, ...slug }] : []),
    ...periodFilters(request),
  ]
}

/** Agencies cannot search by operator, because they do not see which one acted. */
function filterOf(request: PersonRequest): AuditFilter {
  const { query } = request
  return {
    who: isOperator(request) ? typedText(query, 'who') : null,
    action: chosenValue(query, 'action', [...acts, ...signIns]),
    subject: typedText(query, 'subject'),
    agency: isOperator(request) ? typedText(query, 'agency') : null,
    ...typedPeriod(query),
  }
}

function auditPage(request: PersonRequest): TablePage<AuditEntry> {
  const { t, deps, agency } = request
  const texts = t.audit
  const path = agency === null ? '/dashboard/operator/audit' : `${agency.path}/audit`
  const view = viewOf(request)
  const filters = filtersOf(request)
  return {
    title: t.nav.audit,
    section: agency === null ? 'audit' : 'people',
    path,
    subtitle: texts.subtitle,
    tabs: tabs(
      request,
      t.nav.audit,
      (['acts', 'sign-ins'] as const).map((one) => [texts.views[one], `${path}?view=${one}`, one === view]),
    ),
    filters,
    parameters: ['view'],
    columns: columnsOf(request),
    rowsPerPage: 50,
    find: async (window) => {
      const page = { ...window, view, filter: filterOf(request) }
      const { entries, hasMore } = await listAudit(deps.db, agency?.id ?? null, page)
      return { rows: entries, hasNext: hasMore }
    },
    none: isFiltered(request, filters)
      ? empty('search', texts.noMatch, texts.noMatchText)
      : empty('audit', texts.none, texts.noneText),
    csv: {
      filename: 'audit.csv',
      columns: [
        [t.common.at, ({ at }) => at],
        [texts.action, ({ action }) => action],
        [texts.subject, ({ subject }) => subject ?? t.common.erasedPerson],
        [texts.who, (entry) => whoOf(request, entry)],
        [t.common.agency, ({ agency_slug: slug }) => slug],
        [texts.detailsTitle, ({ details }) => JSON.stringify(details)],
      ],
    },
  }
}

export const auditPages = withCsv(auditPage, (ending, handle) => [
  personPage('GET', `/operator/audit${ending}`, 'operator', handle),
  ...agencyPages('GET', `/audit${ending}`, 'owner', handle),
])
