/** What went wrong, in a line. The drivers' messages hold no passwords. */
export function describeError(error: unknown): string {
  // A name with several addresses, none of which answers, gives one error for each and a blank message.
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message === '' ? error.name : error.message
}
