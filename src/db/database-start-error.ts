/** The database cannot be used. Its message is what the operator sees: one line, perhaps with the end of a log below it. */
export class DatabaseStartError extends Error {
  override readonly name: string = 'DatabaseStartError'
}

/** It takes no connection: it is not there, or does not know who asks. */
export class DatabaseUnreachable extends DatabaseStartError {
  override readonly name = 'DatabaseUnreachable'
}
