/** An error's message in one line. Messages of the drivers contain no passwords. */
export function describeError(error: unknown): string {
  // A host with several IP addresses, none of which answers, gives one error each and an empty message.
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.message === '' ? error.name : error.message
}
