/** A strict parser of the Prometheus text format (version 0.0.4). */
import assert from 'node:assert/strict'

export type Sample = { name: string; labels: Record<string, string>; value: number }

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
// prom-client writes `Nan` for a lag that was never measured; Prometheus reads it in any case.
const sampleLine = new RegExp(`^(${name})(?:\\{(.*)\\})? (NaN|Nan|[+-]Inf|[+-]?[0-9.]+(?:e[+-]?[0-9]+)?)$`)
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

export function readExposition(text: string): Sample[] {
  assert.ok(text.endsWith('\n'))
  const types = new Map<string, string>()
  const seen = new Set<string>()
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue
    const [, family, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? []
    if (family !== undefined && type !== undefined) {
      assert.ok(!types.has(family), `${family} is declared twice`)
      types.set(family, type)
      continue
    }
    const match = sampleLine.exec(line)
    assert.ok(match, `no sample: ${line}`)
    const [, sampleName = '', labelText = '', value = ''] = match
    assert.ok(
      types.has(sampleName) || types.has(sampleName.replace(/_(bucket|sum|count)$/, '')),
      `${sampleName} has no type`,
    )
    const series = `${sampleName}{${labelText}}`
    assert.ok(!seen.has(series), `${series} appears twice`)
    seen.add(series)
    samples.push({
      name: sampleName,
      labels: readLabels(labelText),
      value: Number(value.replace('Inf', 'Infinity')),
    })
  }
  return samples
}

function readLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const match = label.exec(text)
    assert.ok(match, `no labels: ${text}`)
    labels[match[1] ?? ''] = match[2] ?? ''
  }
  return labels
}

/** The sum of the samples with that name whose labels include these. */
export function sumOf(
  samples: readonly Sample[],
  wanted: string,
  labels: Record<string, string> = {},
): number {
  return samples
    .filter(
      (sample) =>
        sample.name === wanted &&
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, { value }) => sum + value, 0)
}
