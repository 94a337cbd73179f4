/** Requests of all agencies, for operators: by day, by error, and by agency. */
import { type Agency, listAgencies, listTwins } from '../../../../agencies/agencies.ts'
import {
  type AgencyTraffic,
  trafficByAgency,
  trafficByDay,
  trafficByError,
} from '../../../../access/request-log/traffic-of-all-agencies.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { barList, requestChart } from '../../parts/charts.ts'
import { card, framed, periodOf } from '../../parts/page-parts.ts'
import { agenciesPath, personPage, type PersonRequest } from '../../serving/page.ts'
import { codeLink } from '../requests/request.ts'

const maxShown = 10

async function trafficPage(request: PersonRequest) {
  const { t, deps } = request
  const { db, clock } = deps
  const texts = t.operator.traffic
  const { days, periodTabs } = periodOf(request, '/dashboard/operator/traffic')
  const [agencies, twins, byDay, byAgency, errors] = await Promise.all([
    listAgencies(db),
    listTwins(db),
    trafficByDay(db, days, clock),
    trafficByAgency(db, days, clock),
    trafficByError(db, days, clock),
  ])
  const known = new Map([...agencies, ...twins].map((agency) => [agency.id, agency]))
  const all = [...byAgency.values()]
  const errorBars = errors.slice(0, maxShown).map(({ code, requests: failed }) => {
    return { name: code, label: codeLink(request, code), succeeded: 0, failed }
  })
  return framed(
    request,
    { title: t.nav.traffic, section: 'traffic', subtitle: texts.subtitle },
    html`${periodTabs} ${card(t.usage.perDay, requestChart(request, byDay, t.usage.perDay))}
      <div class="columns halves">
        ${ranking(request, texts.most, all, known, 'requests')}
        ${ranking(request, texts.failing, all, known, 'failed')}
        ${ranking(request, texts.limited, all, known, 'limited')}
        ${card(t.usage.errorsByCode, barList(request, errorBars, texts.none))}
      </div>`,
  )
}

function ranking(
  request: PersonRequest,
  title: string,
  all: readonly AgencyTraffic[],
  known: ReadonlyMap<string, Agency>,
  figure: 'requests' | 'failed' | 'limited',
): Html {
  const { t, base } = request
  const first = all
    .filter((one) => one[figure] > 0)
    .toSorted((a, b) => b[figure] - a[figure])
    .slice(0, maxShown)
  const bars = first.map((one) => {
    const agency = known.get(one.agency_id)
    const name = agency?.slug ?? one.agency_id
    const label = agency === undefined ? name : html`<a href="${base}${usagePath(agency, known)}">${name}</a>`
    const failed = figure === 'requests' ? 0 : one[figure]
    return { name, label, succeeded: one[figure] - failed, failed }
  })
  return card(title, barList(request, bars, t.operator.traffic.none))
}

function usagePath({ slug, test_of: of }: Agency, known: ReadonlyMap<string, Agency>): string {
  const real = of === null ? undefined : known.get(of)
  return `${agenciesPath}/${real === undefined ? slug : `${real.slug}/test`}/usage`
}

export const trafficPages = [personPage('GET', '/operator/traffic', 'operator', trafficPage)]
