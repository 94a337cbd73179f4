/** Plain-text tables and field lists. */

/** @param empty the text for a table without rows */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): string {
  if (rows.length === 0) return empty
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      widths
        .map((width, column) => (line[column] ?? '').padEnd(width))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One field a line. */
export function fields(pairs: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([label]) => label.length))
  return pairs.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n')
}
