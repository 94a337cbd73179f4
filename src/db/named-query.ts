/**
 * Statements that are sent under a name, one or several in a row. The driver describes the columns of a prepared statement anew at every
 * execution, and puts its rows together by the names of fields; here that is done once a connection and statement: a third of what such
 * a statement costs. And it has the database say after each statement that it is ready for the next, a packet to write and one to read;
 * here that is said once, after the last of those that leave together.
 */
import pg from 'pg'

/** A statement with its values, and the name that its text has on every connection. */
export type NamedStatement = { name: string; text: string; values: readonly unknown[] }

/** Rows of each of the statements. */
type Answers = unknown[][]

/** What is used of the driver's query, which its types leave out. */
type DriverQuery = {
  name: string
  text: string
  values: readonly unknown[]
  callback: (error: Error | null, answers?: Answers) => void
  _result: { _types: { getTypeParser(oid: number, format: 'text'): Parse } }
  prepare(connection: Connection): void
}
type Connection = {
  submittedNamedStatements: Record<string, string>
  describe(message: object): void
  sync(): void
}
type Parse = (text: string) => unknown
type Column = { name: string; dataTypeID: number }
/** Makes a row of the texts of its columns. */
type Shape = (texts: readonly (string | null)[]) => unknown

const DriverQuery = pg.Query as unknown as new (text: string, values: readonly unknown[]) => DriverQuery

/** What is known of a connection: the shapes of its statements by their names, and itself as it looks to one of several statements. */
type Known = {
  shapes: Map<string, Shape>
  describing: Connection
  undescribing: Connection
  isSpoiled: boolean
}
const knownOf = new WeakMap<Connection, Known>()

class NamedQueries extends DriverQuery {
  readonly statements: readonly NamedStatement[]
  readonly #answers: Answers = []
  #known: Known | null = null
  /** The one that is being answered. */
  #current = 0
  #rows: unknown[] = []
  #shape: Shape | null = null
  /** Of a value that cannot be sent, or a column that cannot be read. */
  #failure: Error | null = null
  #isBeingSent = false

  constructor(statements: readonly NamedStatement[]) {
    super('', [])
    this.statements = statements
    this.#become(0)
  }

  /** What the driver does with a statement, it does with this one. */
  #become(index: number): void {
    const statement = this.statements[index]
    if (statement === undefined) return
    this.name = statement.name
    this.text = statement.text
    this.values = statement.values
  }

  override prepare(connection: Connection): void {
    this.#known = knownOf.get(connection) ?? nothingKnown(connection)
    const { shapes, describing, undescribing } = this.#known
    this.#isBeingSent = true
    for (let index = 0; index < this.statements.length && this.#failure === null; index += 1) {
      this.#become(index)
      super.prepare(shapes.has(this.name) ? undescribing : describing)
    }
    this.#isBeingSent = false
    this.#turnTo(0)
    connection.sync()
  }

  #turnTo(index: number): void {
    this.#current = index
    this.#become(index)
    this.#rows = []
    this.#shape = this.#known?.shapes.get(this.name) ?? null
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.#shape = shapeOf(fields, (oid) => this._result._types.getTypeParser(oid, 'text'))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push((this.#shape as Shape)(fields))
    } catch (error) {
      this.#failure ??= error as Error
    }
  }

  handleCommandComplete(): void {
    // One that gives no rows has no columns either.
    this.#known?.shapes.set(this.name, this.#shape ?? noRows)
    this.#answers.push(this.#rows)
    this.#turnTo(this.#current + 1)
  }

  handleReadyForQuery(): void {
    if (this.#failure !== null) this.#reject(this.#failure)
    else this.callback(null, this.#answers)
  }

  handleError(error: Error, connection: Connection): void {
    if (this.#isBeingSent) {
      // Told once the database is ready: it is to carry out those before.
      this.#failure = error
      return
    }
    const { submittedNamedStatements: submitted } = connection
    // Those behind it were not even parsed.
    const unparsed = this.statements.slice(this.#current).filter(({ name }) => name in submitted)
    for (const { name } of unparsed) delete submitted[name]
    const isRefused = (error as Partial<pg.DatabaseError>).code === inFailedTransaction
    if (this.#known !== null && (unparsed.length > 0 || isRefused)) this.#known.isSpoiled = true
    this.#reject(error)
  }

  #reject(error: Error): void {
    const text = (this.statements[this.#current] ?? this.statements.at(-1))?.text ?? ''
    // Its stack leads to the socket alone.
    this.callback(Object.assign(error, { statement: text.replaceAll(/\s+/g, ' ').trim().slice(0, 120) }))
  }
}

const inFailedTransaction = '25P02'
const noRows: Shape = () => ({})

function nothingKnown(connection: Connection): Known {
  const nothing = { value: () => {} }
  // What the driver does after a statement is done after the last of them.
  const describing = Object.create(connection, { sync: nothing, close: nothing }) as Connection
  const undescribing = Object.create(describing, { describe: nothing }) as Connection
  const known = { shapes: new Map<string, Shape>(), describing, undescribing, isSpoiled: false }
  knownOf.set(connection, known)
  return known
}

/**
 * Whether a statement that the connection was to remember was not parsed, because one before it had failed. It would be sent again under
 * its name; a PgBouncer that keeps names takes that for a second one, and cuts the connection.
 */
export function isSpoiled(client: pg.ClientBase): boolean {
  const { connection } = client as unknown as { connection: Connection }
  return knownOf.get(connection)?.isSpoiled ?? false
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
 * Sends statements under their names, each parsed and planned once a connection, in one packet: one after the other, up to the first that
 * fails. Outside a transaction they are one.
 * @returns the rows of each
 * @throws what the database has against one of them, with the beginning of its text as `statement`; nothing is told of those before it
 */
export function queryByName(
  client: pg.ClientBase,
  statements: readonly NamedStatement[],
): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    const query = new NamedQueries(statements)
    query.callback = (error, answers) => (answers === undefined ? reject(error) : resolve(answers))
    client.query(query as unknown as pg.Submittable)
  })
}

/** The texts of the statements that the driver is given as one query: their own, where it is not of those here. */
export function textsOf(query: unknown): string[] {
  if (query instanceof NamedQueries) return query.statements.map(({ text }) => text)
  return [typeof query === 'string' ? query : String((query as { text?: unknown })?.text)]
}

/** Calls back when a query is answered that was given to the driver, whatever it gave for it. @param heard is given the error, or null */
export function whenAnswered(answer: unknown, heard: (error: unknown) => void): void {
  if (answer instanceof Promise) answer.then(() => heard(null), heard)
  else if (answer instanceof NamedQueries) {
    const { callback } = answer
    answer.callback = (error, answers) => {
      heard(error ?? null)
      callback(error, answers)
    }
  } else heard(null)
}
