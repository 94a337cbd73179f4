/** Charts that can also be read as text: bars per day, shares of a limit. SVG without scripts or inline styles. */
import type { DayCount } from '../../../access/request-log/request-reports.ts'
import type { LimitName, Limits } from '../../../limits/table.ts'
import type { Usage } from '../../../limits/usage.ts'
import { html, type Html, type Piece } from '../../../platform/web/html.ts'
import { atEnd, type Column, table } from './tables.ts'
import type { PageRequest } from '../serving/page.ts'

const barWidth = 10
const barGap = 3
const plotHeight = 100

/** Two counts of a day, of which `upper` is drawn on top of `lower`. */
type DayBar = Readonly<{ day: string; lower: number; upper: number }>

/** Texts of a chart by day. `lower` and `upper`: names of the counts. */
type ChartWords = Pick<PageRequest['t']['usage'], 'inDays'> & Readonly<{ lower: string; upper: string }>

/** Draws requests by day, failures on top of successes. */
export function requestChart(request: PageRequest, days: readonly DayCount[], title: string): Html {
  const { succeeded: lower, failed: upper, inDays } = request.t.usage
  const bars = days.map(({ day, succeeded, failed }) => ({ day, lower: succeeded, upper: failed }))
  return dayChart(request, bars, title, { lower, upper, inDays })
}

/** Draws a bar per day, and a table of the same counts. */
export function dayChart(
  request: PageRequest,
  days: readonly DayBar[],
  title: string,
  texts: ChartWords,
): Html {
  const { format } = request
  const top = niceTop(Math.max(1, ...days.map(({ lower, upper }) => lower + upper)))
  const width = days.length * (barWidth + barGap)
  const bars = days.map(({ day, lower, upper }, index) => {
    const below = (lower / top) * plotHeight
    const above = (upper / top) * plotHeight
    const x = index * (barWidth + barGap) + barGap / 2
    return html`<g
      ><title>
        ${format.day(day)}: ${texts.lower} ${format.number(lower)}, ${texts.upper} ${format.number(upper)}</title
      ><rect
        class="bar-good"
        x="${x}"
        y="${rounded(plotHeight - below)}"
        width="${barWidth}"
        height="${rounded(below)}" /><rect
        class="bar-bad"
        x="${x}"
        y="${rounded(plotHeight - below - above)}"
        width="${barWidth}"
        height="${rounded(above)}"
    /></g>`
  })
  const columns: Column<DayBar>[] = [
    { title: request.t.usage.day, cell: ({ day }) => format.day(day) },
    { title: texts.lower, cell: ({ lower }) => format.number(lower), className: atEnd },
    { title: texts.upper, cell: ({ upper }) => format.number(upper), className: atEnd },
  ]
  const [first, middle, last] = [days[0], days[Math.floor((days.length - 1) / 2)], days.at(-1)]
  const total = days.reduce((sum, { lower, upper }) => sum + lower + upper, 0)
  return html`<figure class="stack-s">
    <div class="chart">
      <div class="chart-scale" aria-hidden="true">
        <span>${format.number(top)}</span><span>${format.number(top / 2)}</span><span>0</span>
      </div>
      <svg
        class="chart-plot"
        viewBox="0 0 ${width} ${plotHeight}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${title}: ${texts.inDays(format.number(total), days.length)}"
      >
        ${bars}
      </svg>
      <div class="chart-days" aria-hidden="true">
        ${[first, middle, last].map((one) => html`<span>${one !== undefined && format.day(one.day)}</span>`)}
      </div>
    </div>
    <div class="row-apart">
      <p class="legend-line" aria-hidden="true">
        <span>${texts.lower}</span><span class="is-bad">${texts.upper}</span>
      </p>
      <p class="small muted">${texts.inDays(format.number(total), days.length)}</p>
    </div>
    <details class="disclosure small">
      <summary>${request.t.usage.asTable}</summary>
      <div class="action-body">${table(columns, [...days].reverse(), { caption: title })}</div>
    </details>
  </figure>`
}

/** The colour of each state, in the bar and beside its name. */
export const stateTones = { published: 'good', draft: 'rest', disabled: 'warn' } as const

export const states = ['published', 'draft', 'disabled'] as const

type MeterPart = readonly [kind: string, start: number, width: number]

/** A horizontal bar of parts, in percent. */
function meter(label: string, parts: readonly MeterPart[], className = ''): Html {
  return html`<svg
    class="meter ${className}"
    viewBox="0 0 100 4"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${parts.map(
      ([kind, start, width]) =>
        html`<rect class="bar-${kind}" x="${rounded(start)}" width="${rounded(width)}" height="4" />`,
    )}
  </svg>`
}

/** One bar of an agency's listings by state; tiles or tabs beside it have the numbers. */
export function stateBar({ t, format }: PageRequest, counts: Record<keyof typeof stateTones, number>) {
  const shown = states.filter((state) => counts[state] > 0)
  const whole = shown.reduce((sum, state) => sum + counts[state], 0)
  const label = shown.map((state) => `${t.listings.tabs[state]}: ${format.number(counts[state])}`)
  let start = 0
  const parts = shown.map((state): MeterPart => {
    const width = (counts[state] / whole) * 100
    start += width
    return [stateTones[state], start - width, width]
  })
  return meter(label.join(', '), parts, 'state-bar')
}

/** The next number whose half is round too: 2, 4, 6, 8, 10, 20, 30, 40, 50, 60, 80, 100 … */
function niceTop(max: number): number {
  for (let unit = 1; ; unit *= 10)
    for (const step of unit === 1 ? [2, 4, 6, 8] : [1, 2, 3, 4, 5, 6, 8])
      if (max <= unit * step) return unit * step
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** A bar with a part of a whole. @param failed drawn in the colour of failures, after `part` */
export function shareBar(part: number, whole: number, label: string, failed = 0): Html {
  const share = (value: number) => (whole === 0 ? 0 : Math.min(1, value / whole) * 100)
  const parts: MeterPart[] = [
    ['rest', 0, 100],
    ['good', 0, share(part)],
    ['bad', share(part), share(failed)],
  ]
  return meter(label, parts)
}

type Bar = Readonly<{ name: string; label: Piece; succeeded: number; failed: number }>

/** A list of totals, each with a bar relative to the largest. @param none in place of an empty list */
export function barList({ format }: PageRequest, bars: readonly Bar[], none: string): Html {
  if (bars.length === 0) return html`<p class="muted">${none}</p>`
  const max = Math.max(...bars.map(({ succeeded, failed }) => succeeded + failed))
  return html`<ul class="stack">
    ${bars.map(({ name, label, succeeded, failed }) => {
      const total = format.number(succeeded + failed)
      return html`<li class="stack-s">
        <div class="row-apart">${label}<span class="number">${total}</span></div>
        ${shareBar(succeeded, max, `${name}: ${total}`, failed)}
      </li>`
    })}
  </ul>`
}

type Tile = readonly [label: string, value: string | number, path: string, tone?: string]

export function tiles({ base, format }: PageRequest, shown: readonly Tile[]): Html {
  return html`<div class="tiles">
    ${shown.map(
      ([label, value, path, tone]) =>
        html`<a class="tile" href="${base}${path}"
          ><span class="tile-label" ${tone !== undefined && html` data-tone="${tone}"`}>${label}</span
          ><span class="tile-value">${typeof value === 'number' ? format.number(value) : value}</span></a
        >`,
    )}
  </div>`
}

/** Whether at most a tenth is left. */
export function isScarce(used: number, remaining: number): boolean {
  return remaining * 9 <= used
}

/** A bar for each limit, with its remainder, and the end of a temporary change by the operator. */
export function limitMeters(request: PageRequest, limits: Limits, usage: Partial<Record<LimitName, Usage>>) {
  const { t, format } = request
  return html`<div class="meters">
    ${Object.entries(usage).map(([name, { used, remaining, resets_at: resetsAt }]) => {
      const label = t.limits[name as keyof typeof t.limits] ?? name
      const { max, until = null } = limits[name as LimitName]
      const text = t.usage.left(format.number(remaining), format.number(max))
      const [good, bad] = isScarce(used, remaining) ? [0, used] : [used, 0]
      return html`<div class="stack-s small">
        <p class="strong">${label}</p>
        ${shareBar(good, used + remaining, `${label}: ${text}`, bad)}
        <p class="muted number">
          ${text}${until !== null && html` · ${t.usage.holdsUntil(format.plainMoment(until))}`}${used > 0 && html` · ${t.usage.resets} ${format.ago(resetsAt)}`}
        </p>
      </div>`
    })}
  </div>`
}
