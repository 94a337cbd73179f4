/**
 * Changes the limits of an agency, from the operator's page about it, and those of its test environment.
 */
import { parseDateTime } from '../../../platform/date-time.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { ApiError, checked, invalid } from '../../../platform/errors.ts'
import { changeLimits, describeChange, type LimitChange } from '../../../limits/of-agency.ts'
import { maxOfLimit, reportedLimits } from '../../../limits/table.ts'
import { testAgencyOf } from '../access.ts'
import { note } from '../actor.ts'
import { succeeded } from '../flash.ts'
import type { Refusal } from '../forms.ts'
import { problemsOf } from '../problems.ts'
import { type AgencyVisit, operatorAgencyPage, type Page, type PageResponse } from '../visit.ts'
import { agencyPage } from './agencies.ts'
import { environmentPage } from './test-environment.ts'

/** The form's field for each parameter of the domain. */
const fieldOf: Readonly<Record<string, string>> = {
  limits: '',
  ...Object.fromEntries(reportedLimits.map((name) => [name, `max_${name}`])),
}

const clear = (form: URLSearchParams): LimitChange => ({ clear: form.get('limit') || null })

/** The pages that write the limits of an agency and of its test environment, which has its own. */
function writing(path: string, read: (form: URLSearchParams) => LimitChange): readonly Page[] {
  return [
    operatorAgencyPage('POST', path, (visit) =>
      changing(visit, read, { ...visit.agency, refused: (refusal) => agencyPage(visit, refusal) }),
    ),
    operatorAgencyPage('POST', `/test${path}`, async (visit) => {
      const twin = await testAgencyOf(visit, visit.agency)
      if (twin === null) throw new ApiError('not_found', { message: 'There is no such page.' })
      return changing(visit, read, { ...twin, refused: (refusal) => environmentPage(visit, refusal) })
    }),
  ]
}

/** The agency whose limits change, and the page that shows them. */
type Changed = {
  id: string
  slug: string
  path: string
  refused: (refusal: Refusal) => Promise<PageResponse>
}

async function changing(
  visit: AgencyVisit,
  read: (form: URLSearchParams) => LimitChange,
  { id, slug, path, refused }: Changed,
): Promise<PageResponse> {
  const { deps, agency, form } = visit
  try {
    const change = read(form)
    await inTransaction(deps.db, async (tx) => {
      await changeLimits(tx, id, change, deps.config.limits, deps.clock)
      await note(tx, visit, 'agency_limits_changed', agency.id, slug, describeChange(change))
    })
    return { to: path, flash: succeeded('limitsChanged') }
  } catch (error) {
    return await refused(allOf(error, problemsOf(visit, error, fieldOf)))
  }
}

/** Shows the refusal beside every wrong field: all are wrong for the same reason. */
function allOf(error: unknown, { problems, status }: Refusal): Refusal {
  const [text = ''] = Object.values(problems)
  const names = error instanceof ApiError ? error.errors.map(({ parameter }) => parameter) : []
  const others = names.map((name) => [fieldOf[name] ?? name, text])
  return { problems: { ...problems, ...Object.fromEntries(others) }, status }
}

/** The limits that were typed; empty fields change nothing. @throws ApiError 400 naming a field */
function sentLimits(form: URLSearchParams): LimitChange {
  const maxima: Record<string, number> = {}
  checked((problems) => {
    for (const name of reportedLimits) {
      // `20.000` and `20,000`, as people write them.
      const typed = (form.get(`max_${name}`) ?? '').trim().replaceAll(/[.,\s](?=\d{3}(?!\d))/g, '')
      if (typed === '') continue
      maxima[name] = Number(typed)
      if (!/^\d+$/.test(typed) || Number(typed) > maxOfLimit)
        problems.add(name, `${name} is no number.`, 'limit_odd')
    }
  })
  if (Object.keys(maxima).length === 0) throw invalid('', 'No limit was typed.', 'limits_none')
  const typed = (form.get('until') ?? '').trim()
  const until = typed === '' ? null : parseDateTime(typed)
  if (typed !== '' && until === null) throw invalid('until', 'until is no date.', 'date_odd')
  return { set: maxima, until }
}

export const limitPages: readonly Page[] = [
  ...writing('/limits', sentLimits),
  ...writing('/limits/clear', clear),
]
