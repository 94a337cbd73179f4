/** The annotated addresses of corpus.tsv (api.md 12.4). */
import { readFileSync } from 'node:fs'

type CorpusRow = Readonly<{
  /** Rows of one group have the same address; `=` equals no other row; `-` has no key. */
  group: string
  address: string
  place: { city: string | null; province: string | null }
  read: {
    street: string | null
    number: string | null
    unit: string | null
    city: string | null
    province: string | null
  }
}>

const columns = 9

export const corpus: readonly CorpusRow[] = readFileSync(new URL('corpus.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const cells = line.split('\t')
    if (cells.length !== columns) throw new Error(`corpus.tsv: ${cells.length} columns in "${line}"`)
    const cell = (i: number) => cells[i] || null
    return {
      group: cells[0] ?? '',
      address: cells[1] ?? '',
      place: { city: cell(2), province: cell(3) },
      read: { street: cell(4), number: cell(5), unit: cell(6), city: cell(7), province: cell(8) },
    }
  })
