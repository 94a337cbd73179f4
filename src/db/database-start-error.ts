/** The database cannot be used. Its message is what the operator sees: one line, perhaps with the end of a log below it. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError'
}
