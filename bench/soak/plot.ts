/** The chart of docs/soak.svg: the figures of each minute of a long run, with one panel per subject over a shared time axis. */
import { colours, text } from '../report/draw-plot.ts'
import { backgroundOf, type Minute } from './results.ts'

type Line = { name: string; of: (minute: Minute) => number }
type Panel = { title: string; lines: readonly Line[] }

const width = 860
const left = 60
const right = 20
const panelHeight = 130
const spacing = 60

const panels: readonly Panel[] = [
  {
    title: 'Latency in milliseconds',
    lines: [
      { name: 'p50', of: ({ load }) => load.p50 },
      { name: 'p99', of: ({ load }) => load.p99 },
    ],
  },
  { title: 'Latency in milliseconds', lines: [{ name: 'p99.9', of: ({ load }) => load.p999 }] },
  {
    title: 'CPU microseconds per request',
    lines: [
      { name: 'service', of: ({ cpu }) => cpu.service },
      { name: 'PostgreSQL', of: ({ cpu }) => cpu.database },
    ],
  },
  {
    title: 'Megabytes in memory',
    lines: [
      { name: 'service', of: ({ megabytes }) => megabytes.service },
      { name: 'worker', of: ({ megabytes }) => megabytes.worker },
      { name: 'PostgreSQL without shared memory', of: ({ megabytes }) => megabytes.databasePrivate },
    ],
  },
  {
    title: 'Background work in per cent of a core',
    lines: [
      { name: 'together', of: backgroundOf },
      { name: 'worker', of: ({ background }) => background.workerProcess + background.worker },
      { name: 'autovacuum', of: ({ background }) => background.autovacuum },
      { name: 'checkpointer', of: ({ background }) => background.checkpointer },
    ],
  },
  {
    title: 'Megabytes of tables whose rows expire',
    lines: ['request_log', 'idempotency_keys', 'notification_deliveries'].map((name) => ({
      name,
      of: ({ tables }) => tables.find(({ table }) => table === name)?.megabytes ?? 0,
    })),
  },
]

/** @returns a self-contained SVG with its own background */
export function drawSoak(minutes: readonly Minute[]): string {
  const height = panels.length * (panelHeight + spacing) + 20
  const drawn = panels.map((panel, index) => drawPanel(panel, minutes, 30 + index * (panelHeight + spacing)))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#222">
<rect width="${width}" height="${height}" fill="#fff"/>
${drawn.join('\n')}
</svg>
`
}

function drawPanel({ title, lines }: Panel, minutes: readonly Minute[], top: number): string {
  const end = minutes.at(-1)?.minute ?? 1
  const max = roundedUp(lines.reduce((largest, { of }) => Math.max(largest, ...thinned(minutes).map(of)), 0))
  const x = (minute: number): number => left + (minute / end) * (width - left - right)
  const y = (value: number): number => top + 10 + panelHeight - (value / max) * panelHeight
  const drawn = [text(10, top, title, 'start', 14)]
  for (const mark of [0, max / 2, max]) {
    drawn.push(`<line x1="${left}" y1="${y(mark)}" x2="${width - right}" y2="${y(mark)}" stroke="#ddd"/>`)
    drawn.push(text(left - 6, y(mark) + 4, String(mark), 'end'))
  }
  let label = 350
  lines.forEach(({ name, of }, index) => {
    const colour = colours[index] ?? '#555555'
    const points = thinned(minutes).map(
      (minute) => `${x(minute.minute).toFixed(1)},${y(of(minute)).toFixed(1)}`,
    )
    drawn.push(
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
      `<rect x="${label}" y="${top - 10}" width="10" height="10" fill="${colour}"/>`,
      text(label + 14, top, name),
    )
    label += 40 + name.length * 6.5
  })
  drawn.push(text(width - right, top + panelHeight + 26, `minute ${end}`, 'end'))
  return drawn.join('\n')
}

/** At most about 700 points: a chart shows no more. */
function thinned(minutes: readonly Minute[]): Minute[] {
  const every = Math.ceil(minutes.length / 700)
  return minutes.filter((_, index) => index % every === 0)
}

/** The next of 1, 2, 4, 5 or 10 times a power of ten. */
function roundedUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 10].find((factor) => factor * power >= value) ?? 10) * power
}
