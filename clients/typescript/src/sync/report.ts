/**
 * The report: a line for each listing, as CSV or JSON.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { csvCell, type CsvStyle } from './csv.ts'
import type { Outcome } from './outcomes.ts'

/**
 * @param path ends with `.json`, or else CSV is written
 * @param like the style of the source, so that the same programs can open the report
 */
export function writeReport(path: string, outcomes: readonly Outcome[], like: CsvStyle): void {
  const text = path.toLowerCase().endsWith('.json')
    ? `${JSON.stringify(outcomes, null, 2)}\n`
    : asCsv(outcomes, like)
  // A reader sees the whole old file or the whole new one.
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

function asCsv(outcomes: readonly Outcome[], { delimiter, hasBom }: CsvStyle): string {
  const header = [
    'external_id',
    'state',
    'steps',
    'done',
    'id',
    'url',
    'place',
    'error',
    'message',
    'warnings',
    'failed_photos',
  ]
  const lines = outcomes.map((outcome) => [
    outcome.external_id,
    outcome.state,
    outcome.steps.join(' '),
    outcome.done.join(' '),
    outcome.id,
    outcome.url,
    outcome.place,
    outcome.error?.code ?? null,
    outcome.error?.message ?? null,
    outcome.warnings.map(({ code, message }) => `${code}: ${message}`).join(' | '),
    outcome.failed_photos.map(({ url, error }) => `${url}: ${error}`).join(' | '),
  ])
  const rows = [header, ...lines].map((cells) => `${cells.map(csvCell).join(delimiter)}\r\n`)
  return `${hasBom ? '\uFEFF' : ''}${rows.join('')}`
}
