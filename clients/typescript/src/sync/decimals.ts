/**
 * Decides whether `1.250` is more than a thousand or one and a quarter. If the cell alone does not show it, others of its column often do.
 */
import { fields } from './fields.ts'
import type { Table } from './source.ts'
import { bareNumber, readNumber } from './values.ts'

type Decimals = {
  /** Column → its decimal sign. */
  signs: ReadonlyMap<string, '.' | ','>
  notes: string[]
}

/** @param columns path → column */
export function decimalsOf({ name, rows }: Table, columns: ReadonlyMap<string, string>): Decimals {
  const signs = new Map<string, '.' | ','>()
  const notes: string[] = []
  for (const [path, column] of columns) {
    const kind = fields[path]?.kind
    if (kind !== 'money' && kind !== 'number') continue
    const cells = rows.flatMap(({ values }) => {
      const cell = values[column]
      return typeof cell === 'string' ? [cell] : []
    })
    const open = cells.find((cell) => isOpen(bareNumber(cell)))
    if (open === undefined) continue
    const found = new Set(cells.flatMap((cell) => signOf(bareNumber(cell)) ?? []))
    const [sign] = found
    if (found.size === 1 && sign !== undefined) signs.set(column, sign)
    const read = readNumber(open, { decimal: signs.get(column) })
    const isUsual = read >= 1_000 && (kind === 'money' || found.size === 1)
    if (!isUsual)
      notes.push(
        `${column} (${name}): "${open.trim()}" is read as ${read.toLocaleString('en-US')}; change this with "decimal" in the map.`,
      )
  }
  return { signs, notes }
}

/** One sign before exactly three digits. */
const isOpen = (bare: string): boolean => /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(bare)

/** The number's decimal sign, if the number has only one reading. */
function signOf(bare: string): '.' | ',' | null {
  if (!/^-?\d[\d.,]*\d$/.test(bare) || isOpen(bare)) return null
  const signs = [...bare].filter((character) => character === '.' || character === ',')
  const [first] = signs
  const last = signs.at(-1)
  if (first === undefined || last === undefined) return null
  if (first !== last) return last as '.' | ','
  if (signs.length === 1) return first as '.' | ','
  return first === '.' ? ',' : '.'
}
