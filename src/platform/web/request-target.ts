/** The path and the query of a request's target. Only the first question mark separates them. */

/** The path as the client wrote it. */
export function pathOf(target = ''): string {
  const mark = target.indexOf('?')
  return mark === -1 ? target : target.slice(0, mark)
}

/** The query string, without the question mark; empty if there is none. */
export function searchOf(target = ''): string {
  const mark = target.indexOf('?')
  return mark === -1 ? '' : target.slice(mark + 1)
}
