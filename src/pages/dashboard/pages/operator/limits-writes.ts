/** Changes the limits of an agency, or of its test environment, from the operators' page about it. */
import { parseDateTime } from '../../../../platform/time/date-time.ts'
import { ApiError, checked, invalid } from '../../../../platform/errors/errors.ts'
import { changeLimits, checkMax, describeChange, type LimitChange } from '../../../../limits/of-agency.ts'
import { reportedLimits } from '../../../../limits/table.ts'
import { auditRequest } from '../../actor.ts'
import { succeeded } from '../../serving/flash.ts'
import { formHandler, inOneTransaction } from '../../forms/form-handlers.ts'
import { problemsOf } from '../../forms/problems.ts'
import { type AgencyRequest, operatorAgencyPage, type Refusal, withTestPages } from '../../serving/page.ts'
import { agencyPage } from './agencies.ts'
import { environmentPage } from '../test-environment.ts'

/** The form's field for each parameter of the domain. */
const fieldOf: Readonly<Record<string, string>> = {
  limits: '',
  ...Object.fromEntries(reportedLimits.map((name) => [name, `max_${name}`])),
}

const changing = (read: (form: URLSearchParams) => LimitChange) =>
  formHandler(
    inOneTransaction(async (request: AgencyRequest, tx) => {
      const { deps, agency, form } = request
      const change = read(form)
      await changeLimits(tx, agency.id, change, deps)
      await auditRequest(
        tx,
        request,
        'agency_limits_changed',
        agency.realId,
        agency.slug,
        describeChange(change),
      )
      return { to: agency.path, flash: succeeded('limitsChanged') }
    }),
    (request) => (request.agency.isTest ? environmentPage(request) : agencyPage(request)),
    refusalOf,
  )

/** Shows the refusal beside every wrong field: all are wrong for the same reason. */
function refusalOf(request: AgencyRequest, error: unknown): Refusal {
  const refusal = problemsOf(request, error, fieldOf)
  const [text = ''] = Object.values(refusal.problems)
  const names = error instanceof ApiError ? error.errors.map(({ parameter }) => parameter) : []
  const others = names.map((name) => [fieldOf[name] ?? name, text])
  return { ...refusal, problems: { ...refusal.problems, ...Object.fromEntries(others) } }
}

/** The limits that were typed; empty fields change nothing. @throws ApiError 400 naming a field */
function sentLimits(form: URLSearchParams): LimitChange {
  const maxima: Record<string, number> = {}
  checked((problems) => {
    for (const name of reportedLimits) {
      // `20.000` and `20,000`, as people write them.
      const typed = (form.get(`max_${name}`) ?? '').trim().replaceAll(/[.,\s](?=\d{3}(?!\d))/g, '')
      if (typed === '') continue
      const max = /^\d+$/.test(typed) ? Number(typed) : Number.NaN
      problems.attempt(() => (maxima[name] = checkMax(name, max)))
    }
  })
  if (Object.keys(maxima).length === 0) throw invalid('', 'No limit was typed.', 'limits_none')
  const typed = (form.get('until') ?? '').trim()
  const until = typed === '' ? null : parseDateTime(typed)
  if (typed !== '' && until === null) throw invalid('until', 'until is not a date.', 'date_odd')
  return { set: maxima, until }
}

export const limitPages = withTestPages([
  operatorAgencyPage('POST', '/limits', changing(sentLimits)),
  operatorAgencyPage(
    'POST',
    '/limits/clear',
    changing((form) => ({ clear: form.get('limit') || null })),
  ),
])
