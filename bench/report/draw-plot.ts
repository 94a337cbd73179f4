/** The plot of docs/performance.svg: the service's requests relative to the floor's, and its memory over a long run. */
import type { Measured } from './document.ts'

const width = 860
const left = 250
const barHeight = 14
export const colours = ['#1f6f8b', '#d98032', '#5b8c3e', '#8a4f9e', '#555555']

/** @returns a self-contained SVG with its own background */
export function drawPlot(runs: readonly Measured[]): string {
  const compared = runs.filter(({ comparisons }) => comparisons.some(isOfFloor))
  const bars = barsOf(compared)
  const barsHeight = bars.height
  const memory = memoryOf(
    runs.filter((run) => run.memory.length > 0),
    barsHeight + 40,
  )
  const height = barsHeight + memory.height + 60
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#222">
<rect width="${width}" height="${height}" fill="#fff"/>
${bars.svg}
${memory.svg}
</svg>
`
}

type Drawn = { svg: string; height: number }

/** Comparisons with the floor only, since others have no such ratio. */
function barsOf(runs: readonly Measured[]): Drawn {
  const names = [...new Set(runs.flatMap((run) => run.comparisons.filter(isOfFloor).map(({ name }) => name)))]
  const ratioOf = (run: Measured, name: string): number =>
    run.comparisons.find((comparison) => comparison.name === name)?.ratios.at(-1)?.median ?? 0
  const max = Math.max(1, ...runs.flatMap((run) => names.map((name) => ratioOf(run, name))))
  const scale = (width - left - 70) / max
  const lines = [text(10, 24, 'Requests a second, relative to the floor (1.0)', 'start', 15)]
  let y = 44
  runs.forEach((run, index) => {
    const label = `${run.listings.toLocaleString('en-US')} listings, ${run.workers === 1 ? 'one process' : `${run.workers} processes`}`
    const x = 10 + (index % 3) * 280
    lines.push(`<rect x="${x}" y="${y - 10}" width="12" height="12" fill="${colourOf(index)}"/>`)
    lines.push(text(x + 18, y, label))
    if (index % 3 === 2) y += 20
  })
  y += 26
  const top = y
  for (const name of names) {
    lines.push(text(left - 8, y + barHeight * (runs.length / 2) + 4, name, 'end'))
    runs.forEach((run, index) => {
      const ratio = ratioOf(run, name)
      lines.push(
        `<rect x="${left}" y="${y}" width="${(ratio * scale).toFixed(1)}" height="${barHeight - 2}" fill="${colourOf(index)}"/>`,
      )
      if (ratio > 0) lines.push(text(left + ratio * scale + 6, y + barHeight - 3, ratio.toFixed(2)))
      y += barHeight
    })
    y += 10
  }
  lines.push(
    `<line x1="${left + scale}" y1="${top - 6}" x2="${left + scale}" y2="${y}" stroke="#222" stroke-dasharray="3 3"/>`,
  )
  return { svg: lines.join('\n'), height: y }
}

export function isOfFloor({ figures }: Measured['comparisons'][number]): boolean {
  return figures[0]?.name.startsWith('floor') === true
}

function memoryOf(runs: readonly Measured[], top: number): Drawn {
  if (runs.length === 0) return { svg: '', height: 0 }
  const height = 200
  const readings = runs.flatMap(({ memory }) => memory)
  const max = Math.max(400, ...readings.map(({ residentMegabytes }) => residentMegabytes))
  const requests = Math.max(1, ...readings.map((reading) => reading.requests))
  const x = (value: number): string => (60 + (value / requests) * (width - 100)).toFixed(1)
  const y = (value: number): string => (top + 20 + height - (value / max) * height).toFixed(1)
  const lines = [text(10, top, 'Megabytes over requests: in memory (line), heap (dashes)', 'start', 15)]
  for (const mark of [0, 100, 200, 300, 400]) {
    lines.push(`<line x1="60" y1="${y(mark)}" x2="${width - 40}" y2="${y(mark)}" stroke="#ddd"/>`)
    lines.push(text(54, Number(y(mark)) + 4, String(mark), 'end'))
  }
  runs.forEach((run, index) => {
    const line = (value: (reading: Measured['memory'][number]) => number | null, dashes: string): string => {
      const points = run.memory.flatMap((reading) => {
        const megabytes = value(reading)
        return megabytes === null ? [] : [`${x(reading.requests)},${y(megabytes)}`]
      })
      return `<polyline points="${points.join(' ')}" fill="none" stroke="${colourOf(index)}" stroke-width="2"${dashes}/>`
    }
    lines.push(line(({ residentMegabytes }) => residentMegabytes, ''))
    lines.push(line(({ heapMegabytes }) => heapMegabytes, ' stroke-dasharray="4 4"'))
  })
  lines.push(text(width - 40, top + height + 38, `${requests.toLocaleString('en-US')} requests`, 'end'))
  return { svg: lines.join('\n'), height: height + 50 }
}

function colourOf(index: number): string {
  return colours[index % colours.length] ?? '#555555'
}

export function text(x: number, y: number, content: string, anchor = 'start', size = 12): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}">${escaped}</text>`
}
