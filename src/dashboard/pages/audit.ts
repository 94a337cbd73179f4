/**
 * The audit log: who changed agencies, keys and accounts, and who signed in. Operators see all, owners that of their agency.
 */
import { type AuditEntry, type AuditView, listAudit } from '../../accounts/audit.ts'
import { html, type Html } from '../../web/html.ts'
import { agencyCrumbs, empty, pageAsked, pageHead, pager, sectionOf, tabs } from '../layout.ts'
import { tableHead } from '../tables.ts'
import { agencyPages, type Page, type PageAnswer, personPage, type Signed } from '../visit.ts'

const perPage = 50

export function auditTable(visit: Signed, entries: readonly AuditEntry[]): Html {
  const { t, format, base } = visit
  const texts = t.audit
  const isOperator = visit.session.account.role === 'operator'
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

function detailsOf({ t, format }: Signed, { details }: AuditEntry): Html {
  const words: Record<string, string> = { ...t.roles, ...t.mailPreference.languages }
  const labels: Record<string, string> = t.limits
  const valueText = (name: string, value: unknown): string => {
    if (typeof value === 'boolean') return value ? t.common.yes : t.common.no
    if (name === 'at' || name === 'until') return format.plainMoment(String(value))
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

async function auditPage(visit: Signed): Promise<PageAnswer> {
  const { t, deps, base, query, agency } = visit
  const home = agency === null ? '/dashboard/operator/audit' : `${agency.path}/audit`
  const view: AuditView = query.get('view') === 'sign-ins' ? 'sign-ins' : 'acts'
  const page = pageAsked(query)
  const window = { view, limit: perPage, offset: (page - 1) * perPage }
  const { entries, hasMore } = await listAudit(deps.db, agency?.id ?? null, window)
  const views = (['acts', 'sign-ins'] as const).map(
    (one) => [t.audit.views[one], `${home}?view=${one}`, one === view] as const,
  )
  return {
    title: t.nav.audit,
    section: agency === null ? 'audit' : sectionOf(visit, 'people'),
    body: html`${pageHead(visit, { title: t.nav.audit, subtitle: t.audit.subtitle, crumbs: agencyCrumbs(visit) })}
      <div class="stack">
        ${tabs(visit, t.nav.audit, views)}
        <section class="card card-flush">${auditTable(visit, entries)}</section>
        ${(page > 1 || hasMore) && pager(visit, page, hasMore, t.common.page(page), (target) => `${base}${home}?view=${view}&page=${target}`)}
      </div>`,
  }
}

export const auditPages: readonly Page[] = [
  personPage('GET', '/operator/audit', 'operator', auditPage),
  ...agencyPages('GET', '/audit', 'owner', auditPage),
]
