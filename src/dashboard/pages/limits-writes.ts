/**
 * Changes the limits of an agency, from the operator's page about it.
 */
import { parseDateTime } from '../../date-time.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid } from '../../errors.ts'
import { changeLimits, describeChange, type LimitChange } from '../../limits/of-agency.ts'
import { reportedLimits } from '../../limits/table.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import { problemsOf } from '../problems.ts'
import { type AgencyVisit, operatorAgencyPage, type Page, type PageAnswer } from '../visit.ts'
import { agencyPage } from './agencies.ts'

const set = (visit: AgencyVisit): Promise<PageAnswer> => changing(visit, sentLimits)

const clear = (visit: AgencyVisit): Promise<PageAnswer> =>
  changing(visit, (form) => ({ clear: form.get('limit') || null }))

async function changing(
  visit: AgencyVisit,
  read: (form: URLSearchParams) => LimitChange,
): Promise<PageAnswer> {
  const { deps, agency, form } = visit
  try {
    const change = read(form)
    await inTransaction(deps.db, async (tx) => {
      await changeLimits(tx, agency.id, change, deps.config.limits, deps.clock)
      await note(tx, visit, 'agency_limits_changed', agency.id, agency.slug, describeChange(change))
    })
    return { to: agency.path, flash: succeeded('limitsChanged') }
  } catch (error) {
    return await agencyPage(visit, problemsOf(visit, error, { limits: '' }))
  }
}

/** What was typed; empty fields stay as they are. @throws ApiError 400 naming a field */
function sentLimits(form: URLSearchParams): LimitChange {
  const maxima: Record<string, number> = {}
  for (const name of reportedLimits) {
    const typed = (form.get(`max_${name}`) ?? '').trim()
    if (typed === '') continue
    if (!/^\d{1,10}$/.test(typed)) throw invalid(`max_${name}`, `${name} is no number.`, 'limit_odd')
    maxima[name] = Number(typed)
  }
  if (Object.keys(maxima).length === 0) throw invalid('', 'No limit was typed.', 'limits_none')
  const typed = (form.get('until') ?? '').trim()
  const until = typed === '' ? null : parseDateTime(typed)
  if (typed !== '' && until === null) throw invalid('until', 'until is no date.', 'date_odd')
  return { set: maxima, until }
}

export const limitPages: readonly Page[] = [
  operatorAgencyPage('POST', '/limits', set),
  operatorAgencyPage('POST', '/limits/clear', clear),
]
