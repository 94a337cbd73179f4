/** The errors of a database that cannot be used. Their message is for the operator: one line, perhaps followed by the end of a log. */
export class DatabaseStartError extends Error {
  override readonly name: string = 'DatabaseStartError'
}

/** The database accepts no connection: it is down, or rejects the user. */
export class DatabaseUnreachable extends DatabaseStartError {
  override readonly name = 'DatabaseUnreachable'
}
