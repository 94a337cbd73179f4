/**
 * The audit log: who did what to agencies, keys and accounts.
 */
import { type AuditEntry, listAudit } from '../../accounts/audit.ts'
import { html, type Html } from '../../pages/html.ts'
import { empty, pageHead, pager } from '../layout.ts'
import { tableHead } from '../tables.ts'
import { type Outcome, type Page, personPage, type Signed } from '../visit.ts'

const perPage = 50

export function auditTable(visit: Signed, entries: readonly AuditEntry[]): Html {
  const { t, format, base } = visit
  const texts = t.audit
  if (entries.length === 0) return empty('audit', texts.none, texts.noneText)
  return html`<table class="table table-fold">
    ${tableHead(t.nav.audit, [texts.what, texts.who, texts.agency, texts.at])}
    <tbody>
      ${entries.map(
        (entry) =>
          html`<tr>
            <td class="lead">
              <p>
                <span class="strong">${texts.actions[entry.action] ?? entry.action}</span>
                <code>${entry.subject}</code>
              </p>
              ${detailsOf(entry)}
            </td>
            <td data-label="${texts.who}">${entry.actor_name}</td>
            <td data-label="${texts.agency}">
              ${entry.agency_slug !== null && html`<a href="${base}/dashboard/operator/agencies/${entry.agency_slug}">${entry.agency_slug}</a>`}
            </td>
            <td data-label="${texts.at}" class="nowrap">${format.moment(entry.at)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function detailsOf({ details }: AuditEntry): Html {
  const parts = Object.entries(details).filter(([, value]) => value !== null && value !== undefined)
  return html`${parts.length > 0 && html`<p class="small muted">${parts.map(([name, value]) => `${name}: ${String(value)}`).join(', ')}</p>`}`
}

async function auditPage(visit: Signed): Promise<Outcome> {
  const { t, deps, base, query } = visit
  const asked = query.get('page') ?? '1'
  const page = /^[1-9]\d{0,3}$/.test(asked) ? Number(asked) : 1
  const { entries, hasMore } = await listAudit(deps.db, null, {
    limit: perPage,
    offset: (page - 1) * perPage,
  })
  return {
    title: t.nav.audit,
    section: 'audit',
    body: html`${pageHead(visit, { title: t.nav.audit, subtitle: t.audit.subtitle })}
      <div class="stack">
        <section class="card card-flush">${auditTable(visit, entries)}</section>
        ${(page > 1 || hasMore) && pager(visit, page, hasMore, t.common.page(page), (target) => `${base}/dashboard/operator/audit?page=${target}`)}
      </div>`,
  }
}

export const auditPages: readonly Page[] = [personPage('GET', '/operator/audit', 'operator', auditPage)]
