/**
 * Statements that are sent under a name. The driver describes the columns of a prepared statement anew at every execution, and puts its
 * rows together by the names of fields; here that is done once a connection and statement: a third of what such a statement costs.
 */
import pg from 'pg'

/** What is used of the driver's query, which its types leave out. */
type DriverQuery = {
  name: string
  callback: (error: Error | null, result: pg.QueryResult) => void
  _result: { rows: unknown[]; _types: { getTypeParser(oid: number, format: 'text'): Parse } }
  _canceledDueToError: unknown
  prepare(connection: Connection): void
  handleCommandComplete(message: unknown, connection: Connection): void
}
type Connection = { describe(): void }
type Parse = (text: string) => unknown
type Column = { name: string; dataTypeID: number }
/** Makes a row of the texts of its columns. */
type Shape = (texts: readonly (string | null)[]) => unknown

const DriverQuery = pg.Query as unknown as new (text: string, values: readonly unknown[]) => DriverQuery

/** A connection as it looks to a statement that need not be described, and the shapes of those by their names. */
type Known = { shapes: Map<string, Shape>; undescribing: Connection }
const knownOf = new WeakMap<Connection, Known>()

class NamedQuery extends DriverQuery {
  #known: Known | null = null
  #shape: Shape | null = null

  constructor(name: string, text: string, values: readonly unknown[]) {
    super(text, values)
    this.name = name
  }

  override prepare(connection: Connection): void {
    this.#known = knownOf.get(connection) ?? nothingKnown(connection)
    this.#shape = this.#known.shapes.get(this.name) ?? null
    super.prepare(this.#shape === null ? connection : this.#known.undescribing)
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.#shape = shapeOf(fields, (oid) => this._result._types.getTypeParser(oid, 'text'))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this._result.rows.push((this.#shape as Shape)(fields))
    } catch (error) {
      this._canceledDueToError = error
    }
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    // One that gives no rows has no columns either.
    this.#shape ??= () => ({})
    this.#known?.shapes.set(this.name, this.#shape)
    super.handleCommandComplete(message, connection)
  }
}

function nothingKnown(connection: Connection): Known {
  const undescribing = Object.create(connection, { describe: { value: () => {} } }) as Connection
  const known = { shapes: new Map<string, Shape>(), undescribing }
  knownOf.set(connection, known)
  return known
}

const texts: ReadonlySet<number> = new Set([
  pg.types.builtins.TEXT,
  pg.types.builtins.VARCHAR,
  pg.types.builtins.UUID,
])

/** As code, because an object that is written out is made at once, and alike each time; filled by names it is a dictionary. */
function shapeOf(columns: readonly Column[], parserOf: (oid: number) => Parse): Shape {
  const parsers = columns.map(({ dataTypeID }) => parserOf(dataTypeID))
  const members = columns.map(({ name, dataTypeID }, index) => {
    const value = texts.has(dataTypeID)
      ? `texts[${index}]`
      : `texts[${index}] === null ? null : parsers[${index}](texts[${index}])`
    return `${JSON.stringify(name)}: ${value}`
  })
  const make = new Function('parsers', `return (texts) => ({ ${members.join(', ')} })`)
  return make(parsers) as Shape
}

/**
 * Sends a statement under its name: parsed and planned once a connection.
 * @throws what the database has against it, with the beginning of its text as `statement`
 */
export function queryByName(
  client: pg.ClientBase,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new NamedQuery(name, text, values)
    query.callback = (error, result) => {
      if (error === null || error === undefined) return resolve(result)
      // Its stack leads to the socket alone.
      reject(Object.assign(error, { statement: text.replaceAll(/\s+/g, ' ').trim().slice(0, 120) }))
    }
    client.query(query as unknown as pg.Submittable)
  })
}

/** Calls back when a query is answered that was given to the driver, whatever it gave for it. @param heard is given the error, or null */
export function whenAnswered(answer: unknown, heard: (error: unknown) => void): void {
  if (answer instanceof Promise) answer.then(() => heard(null), heard)
  else if (answer instanceof NamedQuery) {
    const { callback } = answer
    answer.callback = (error, result) => {
      heard(error ?? null)
      callback(error, result)
    }
  } else heard(null)
}
