/**
 * Money that people type or paste: `90.000`, `90,000`, `1.234,56`, `1,234.56`, `U$S 90 000.-`. A single sign before
 * exactly three digits groups thousands in both languages, because no price has thousandths.
 */

const dollars = /u\$[sd]|us\$|usd?|d[oó]lar(?:es)?|dollars?/i
/** A lone `$` means pesos, as on the pages. */
const pesos = /(?:ar)?\$|ars|pesos?/i

/** The currency that a text names; null if it names none. */
export function typedCurrency(text: string): 'USD' | 'ARS' | null {
  if (dollars.test(text)) return 'USD'
  return pesos.test(text) ? 'ARS' : null
}

/** The distinct currencies in the prices of a range. A range with two of them has no meaning. */
export function typedCurrencies(texts: readonly (string | null)[]): ('USD' | 'ARS')[] {
  return [...new Set(texts.flatMap((text) => typedCurrency(text ?? '') ?? []))]
}

/** The amount, with two decimals at most; null if the text is not an amount. */
export function typedMoney(text: string): number | null {
  const bare = text
    .replaceAll(new RegExp(`${dollars.source}|${pesos.source}|\\s`, 'gi'), '')
    // Printed prices end like this.
    .replace(/[.,]?[-–]+$/, '')
  const plain = /^\d+(?:[.,]\d{1,2})?$/.test(bare) ? bare.replace(',', '.') : ungrouped(bare)
  return plain === null || plain.length > 16 ? null : Number(plain)
}

function ungrouped(text: string): string | null {
  const [, sign = ''] = /^\d{1,3}([.,])\d{3}(?!\d)/.exec(text) ?? []
  if (sign === '') return null
  const decimal = sign === '.' ? ',' : '.'
  const grouped = new RegExp(`^\\d{1,3}(?:\\${sign}\\d{3})+(?:\\${decimal}\\d{1,2})?$`)
  return grouped.test(text) ? text.replaceAll(sign, '').replace(decimal, '.') : null
}
