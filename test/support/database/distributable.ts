/**
 * Judges from PostgreSQL's own parse tree whether Citus can run a statement on one agency's node: each agency table is bound to one agency,
 * no function returns a different value per shard, and rows are locked for one agency only. The rules are those of Citus's planner
 * (multi_router_planner.c, query_pushdown_planning.c), as far as statements of this service depend on them.
 */
import type { Client } from 'pg'
import {
  distributedTables,
  localTables,
  referenceTables,
} from '../../../src/platform/db/citus/distribution.ts'
import { isTree, nodesOf, readTree, type Tree, type TreeValue, within } from './node-tree.ts'

/** `agencies`: the statement spans several agencies. `refused`: no node can run it. */
type Refusal = { kind: 'agencies' | 'refused'; says: string }

type Table = { name: string; kind: 'distributed' | 'reference' | 'local'; agency: string }
type Catalogue = { tables: Map<string, Table>; volatility: Map<string, string>; ofInput: Map<string, string> }

export type Judge = (text: string) => Promise<Refusal[]>

/** @param client connected to a migrated database, and used for nothing else */
export async function openJudge(client: Client): Promise<Judge> {
  const catalogue = await readCatalogue(client)
  return async (text) => {
    if (!/^\s*(with|select|insert|update|delete)\b/i.test(text)) return []
    // Statements about Citus itself, which plain PostgreSQL does not know.
    if (/\bpg_dist_|\bcitus_|_distribution_column\b|_(distributed|distributing|reference)_table\b/.test(text))
      return []
    return judge(await parse(client, text), catalogue)
  }
}

async function readCatalogue(client: Client): Promise<Catalogue> {
  const functions = await client.query<{ id: string; volatility: string }>(
    `select oid::text as id, provolatile as volatility from pg_proc where provolatile <> 'i'`,
  )
  const inputs = await client.query<{ id: string; volatility: string }>(
    `select t.oid::text as id, provolatile as volatility from pg_type t join pg_proc p on p.oid = typinput where provolatile <> 'i'`,
  )
  const tables = await client.query<{ id: string; name: string; agency: string }>(
    `select c.oid::text as id, relname as name, coalesce(attnum, 0)::text as agency from pg_class c
    left join pg_attribute on attrelid = c.oid and attname = 'agency_id' where relkind = 'r'`,
  )
  const kindOf = (name: string): Table['kind'] | null => {
    if ((distributedTables as readonly string[]).includes(name)) return 'distributed'
    if ((referenceTables as readonly string[]).includes(name)) return 'reference'
    return (localTables as readonly string[]).includes(name) ? 'local' : null
  }
  return {
    tables: new Map(
      tables.rows.flatMap(({ id, name, agency }) => {
        const kind = kindOf(name)
        return kind === null ? [] : [[id, { name, kind, agency }] as const]
      }),
    ),
    volatility: new Map(functions.rows.map(({ id, volatility }) => [id, volatility])),
    ofInput: new Map(inputs.rows.map(({ id, volatility }) => [id, volatility])),
  }
}

/** PostgreSQL's limit for a function. */
const maxArguments = 100

/** Wraps the statement in a function body, which PostgreSQL stores parsed and with every name resolved. */
async function parse(client: Client, text: string): Promise<Tree> {
  try {
    const types = await lastRow<{ types: string[] }>(
      client,
      `begin; prepare judged as ${text}\n;
      select parameter_types::text[] as types from pg_prepared_statements where name = 'judged'`,
    )
    const parameters = types?.types ?? []
    const body = text.replaceAll(/\$(\d+)/g, (parameter, number: string) =>
      Number(number) <= maxArguments ? parameter : `null::${parameters[Number(number) - 1]}`,
    )
    const kept = await lastRow<{ tree: string }>(
      client,
      `create function judged(${parameters.slice(0, maxArguments).join(', ')}) returns void language sql
      begin atomic ${body}; end;
      select prosqlbody::text as tree from pg_proc where oid = 'judged'::regproc`,
    )
    const [query] = nodesOf(readTree(kept?.tree ?? ''))
    if (query === undefined) throw new Error('PostgreSQL kept no statement')
    return query
  } finally {
    await client.query('rollback; deallocate all')
  }
}

/** Runs statements in one round trip. @returns the first row of the last */
async function lastRow<Row extends object>(client: Client, statements: string): Promise<Row | undefined> {
  const results = (await client.query(statements)) as unknown as { rows: Row[] }[]
  return results.at(-1)?.rows[0]
}

function judge(statement: Tree, catalogue: Catalogue): Refusal[] {
  const found: Refusal[] = []
  const refuse = (says: string): void => void found.push({ kind: 'refused', says })
  const tablesIn = (value: TreeValue | undefined): Table[] =>
    within(value).flatMap((node) => {
      const table =
        node.node === 'RANGETBLENTRY' ? catalogue.tables.get(String(node['relid'] ?? '')) : undefined
      return table === undefined ? [] : [table]
    })
  const all = tablesIn(statement)
  if (all.every(({ kind }) => kind === 'local')) return []
  refuseTogether(statement)
  judgeQuery(statement, null)
  return found

  /** @returns the tables that are read together; the parts of a `union` are read separately */
  function refuseTogether(query: Tree): Table[] {
    const own = nodesOf(query['rtable']).flatMap(
      (entry) => catalogue.tables.get(String(entry['relid'] ?? '')) ?? [],
    )
    const below = subqueriesOf(query).map(refuseTogether)
    if (query['setOperations'] !== null) return []
    const together = [...own, ...below.flat()]
    const local = together.find(({ kind }) => kind === 'local')
    const distributed = together.find(({ kind }) => kind === 'distributed')
    if (local !== undefined && distributed !== undefined)
      refuse(`${local.name} is on the coordinator alone, ${distributed.name} is not`)
    return together
  }

  function judgeQuery(query: Tree, outer: Scope | null): void {
    const scope = scopeOf(query, outer, catalogue)
    const result = Number(query['resultRelation'])
    // In an insert, the new row and the conflicting row are entries too.
    const [conflict] = nodesOf(query['onConflict'])
    const inserted =
      query['commandType'] === commands.insert ? [result, Number(conflict?.['exclRelIndex'])] : []
    for (const [index, entry] of scope.entries.entries()) {
      const table = catalogue.tables.get(String(entry['relid'] ?? ''))
      if (table?.kind !== 'distributed' || inserted.includes(index + 1)) continue
      if (scope.isBound(String(index + 1), table.agency)) continue
      found.push({ kind: 'agencies', says: `${table.name} without its agency` })
      if (nodesOf(query['rowMarks']).some((mark) => mark['rti'] === String(index + 1)))
        refuse(`locks rows of ${table.name} of several agencies`)
    }
    if (query['commandType'] !== commands.select) judgeChange(query, scope, scope.entries[result - 1])
    for (const entry of scope.entries) {
      const [below] = nodesOf(entry['subquery'])
      if (below !== undefined && nodesOf(below['targetList']).length === 0 && isUnbound(below, scope))
        refuse('a subquery without columns')
    }
    for (const below of subqueriesOf(query)) {
      if (isCorrelated(below) && isOnlyRecurring(scope.entries) && isUnbound(below, scope))
        refuse('a subquery for each row of a function, of values or of a with')
      judgeQuery(below, scope)
    }
  }

  function judgeChange(query: Tree, scope: Scope, entry: Tree | undefined): void {
    const table = catalogue.tables.get(String(entry?.['relid'] ?? ''))
    const isUpdate = query['commandType'] === commands.update
    const onConflict = nodesOf(query['onConflict'])[0]
    const targets = nodesOf(query['targetList'])
    if (table?.kind === 'distributed' && query['commandType'] === commands.insert) {
      const agency = targets.find((target) => target['resno'] === table.agency)
      if (agency === undefined || !scope.isBoundExpression(agency['expr']))
        found.push({ kind: 'agencies', says: `inserts into ${table.name} without the agency` })
    }
    // Citus runs the select first, and passes its parameters to nothing else.
    const isFromSelect = scope.entries.some((one) => one['rtekind'] === kinds.subquery)
    const afterwards = [...within(query['onConflict']), ...within(query['returningList'])]
    if (
      isFromSelect &&
      query['commandType'] === commands.insert &&
      afterwards.some(({ node }) => node === 'PARAM')
    )
      refuse('a parameter in on conflict or returning, of an insert from a select')
    const set = [...(isUpdate ? targets : []), ...nodesOf(onConflict?.['onConflictSet'])]
    if (table?.kind === 'distributed' && set.some((target) => target['resno'] === table.agency))
      refuse(`changes the agency of ${table.name}`)
    if (query['commandType'] !== commands.insert) {
      const evaluated = [
        ...(isUpdate ? targets.map((target) => target['expr']) : []),
        ...qualsOf(query['jointree']),
      ]
      for (const expression of evaluated) refuseFunctions(expression)
    }
    const ofConflict = [
      ...nodesOf(onConflict?.['onConflictSet']).map((target) => target['expr']),
      onConflict?.['onConflictWhere'],
    ]
    if (ofConflict.some(isMutable)) refuse('a function that is not immutable, in on conflict do update')
    if (nodesOf(query['returningList']).some(isMutable))
      refuse('a function that is not immutable, in returning')
  }

  function refuseFunctions(expression: TreeValue | undefined): void {
    if (within(expression).some((node) => volatilityOf(node) === 'v'))
      refuse('a volatile function in update or delete')
    for (const node of within(expression, isQuery)) {
      if (!isMutable(node)) continue
      if (node.node === 'CASEEXPR' || node.node === 'COALESCEEXPR')
        refuse('a function that is not immutable in case or coalesce')
      if (volatilityOf(node) === 's' && within(node, isQuery).some((one) => one.node === 'VAR'))
        refuse('a stable function of a column in update or delete')
    }
  }

  function volatilityOf(node: Tree): string {
    if (node.node === 'SQLVALUEFUNCTION') return 's'
    if (node.node === 'COERCEVIAIO') return catalogue.ofInput.get(String(node['resulttype'])) ?? 'i'
    const id = node['funcid'] ?? node['opfuncid'] ?? node['aggfnoid']
    return catalogue.volatility.get(String(id ?? '')) ?? 'i'
  }

  function isMutable(value: TreeValue | undefined): boolean {
    return within(value).some((node) => volatilityOf(node) !== 'i')
  }

  function isUnbound(query: Tree, outer: Scope): boolean {
    const scope = scopeOf(query, outer, catalogue)
    return scope.entries.some((entry, index) => {
      const table = catalogue.tables.get(String(entry['relid'] ?? ''))
      return table?.kind === 'distributed' && !scope.isBound(String(index + 1), table.agency)
    })
  }
}

const commands = { select: '1', update: '2', insert: '3', delete: '4' }
const kinds = { relation: '0', subquery: '1', join: '2', function: '3', values: '5', with: '6' }

const isQuery = (node: Tree): boolean => node.node === 'QUERY'

/** Queries directly below this one: in `from`, in `with` and in expressions. */
function subqueriesOf(query: Tree): Tree[] {
  return Object.values(query).flatMap((field) => within(field, isQuery).filter(isQuery))
}

function isCorrelated(query: Tree): boolean {
  return within(query).some((node) => node.node === 'VAR' && node['varlevelsup'] !== '0')
}

/** Whether a query reads nothing except functions, values and parts of a `with`. */
function isOnlyRecurring(entries: readonly Tree[]): boolean {
  const recurring = [kinds.function, kinds.values, kinds.with]
  const read = entries.filter((entry) => entry['rtekind'] !== kinds.join)
  return read.length > 0 && read.every((entry) => recurring.includes(String(entry['rtekind'])))
}

/** The conditions of `where` and of joins, split at each `and`. */
function qualsOf(value: TreeValue | undefined): Tree[] {
  const apart = (node: Tree): Tree[] =>
    node.node === 'BOOLEXPR' && node['boolop'] === 'and' ? nodesOf(node['args']).flatMap(apart) : [node]
  return nodesOf(value).flatMap((node) => [
    ...nodesOf(node['quals']).flatMap(apart),
    ...[node['fromlist'], node['larg'], node['rarg']].flatMap(qualsOf),
  ])
}

/** The columns of a query that are bound to one agency: equal to a parameter, or to a bound column. */
type Scope = {
  entries: readonly Tree[]
  isBound(entry: string, column: string): boolean
  isBoundExpression(expression: TreeValue | undefined): boolean
}

function scopeOf(query: Tree, outer: Scope | null, catalogue: Catalogue): Scope {
  const entries = nodesOf(query['rtable'])
  const bound = new Set<string>()
  const named = (entry: string, column: string): string => `${entry}.${column}`

  const ofEntry = (entry: string, column: string): boolean => {
    if (bound.has(named(entry, column))) return true
    const read = entries[Number(entry) - 1]
    if (read?.['rtekind'] === kinds.join)
      return scope.isBoundExpression((read['joinaliasvars'] as readonly TreeValue[])[Number(column) - 1])
    if (read?.['rtekind'] === kinds.values)
      return (read['values_lists'] as readonly TreeValue[]).every((row) =>
        scope.isBoundExpression((row as readonly TreeValue[])[Number(column) - 1]),
      )
    const [below] = read?.['rtekind'] === kinds.subquery ? nodesOf(read['subquery']) : []
    if (below === undefined) return false
    const target = nodesOf(below['targetList']).find((one) => one['resno'] === column)
    return scopeOf(below, scope, catalogue).isBoundExpression(target?.['expr'])
  }
  const scope: Scope = {
    entries,
    isBound: ofEntry,
    isBoundExpression(expression) {
      if (!isTree(expression)) return false
      if (expression.node === 'PARAM' || expression.node === 'CONST') return true
      if (expression.node !== 'VAR') return false
      const [entry, column] = [String(expression['varno']), String(expression['varattno'])]
      const up = Number(expression['varlevelsup'])
      if (up === 0) return ofEntry(entry, column)
      // Only the directly enclosing query is known here; it resolves references further out.
      return outer?.isBoundExpression({ ...expression, varlevelsup: String(up - 1) }) ?? false
    },
  }
  const equations = qualsOf(query['jointree']).filter(
    (qual) => qual.node === 'OPEXPR' && qual['opfuncid'] === uuidEquals,
  )
  for (let isNew = true; isNew;) {
    isNew = false
    for (const { args } of equations) {
      const [one, other] = nodesOf(args)
      for (const [known, learnt] of [
        [one, other],
        [other, one],
      ]) {
        if (learnt?.node !== 'VAR' || learnt['varlevelsup'] !== '0' || scope.isBoundExpression(learnt))
          continue
        if (!scope.isBoundExpression(known)) continue
        bound.add(named(String(learnt['varno']), String(learnt['varattno'])))
        isNew = true
      }
    }
  }
  return scope
}

/** The function behind `=` for uuids. */
const uuidEquals = '2956'
