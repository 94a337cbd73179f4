/** Parses PostgreSQL's own representation of a statement, as pg_proc stores it for SQL functions: `{QUERY :commandType 2 :rtable (…)}`. */

export type Tree = { readonly node: string; readonly [field: string]: TreeValue }
export type TreeValue = string | null | Tree | readonly TreeValue[]

/** @param text a `pg_node_tree` */
export function readTree(text: string): TreeValue {
  const tokens = text.match(/[(){}[\]]|<>|(?:\\.|[^\s(){}[\]\\])+/gs) ?? []
  let at = 0

  const readNode = (): Tree => {
    const node = tokens[at] ?? ''
    const fields: Record<string, TreeValue> & { node: string } = { node }
    at += 1
    while (tokens[at] !== '}') {
      const name = (tokens[at] ?? '').slice(1)
      at += 1
      // A value of several tokens is a length followed by its bytes, which are not needed here.
      const values: TreeValue[] = []
      while (tokens[at] !== '}' && !(tokens[at] ?? '').startsWith(':')) values.push(readValue())
      fields[name] = values[0] ?? null
    }
    at += 1
    return fields
  }
  const readList = (end: string): TreeValue[] => {
    const items: TreeValue[] = []
    while (tokens[at] !== end) items.push(readValue())
    at += 1
    return items
  }
  const readValue = (): TreeValue => {
    const token = tokens[at] ?? ''
    if (at >= tokens.length) throw new Error('the tree ends too early')
    at += 1
    if (token === '{') return readNode()
    if (token === '(') return readList(')')
    if (token === '[') return readList(']')
    if (token === '<>') return null
    return /["\\]/.test(token) ? token.replace(/^"(.*)"$/s, '$1').replaceAll(/\\(.)/gs, '$1') : token
  }
  return readValue()
}

export function isTree(value: TreeValue | undefined): value is Tree {
  return value != null && typeof value === 'object' && !Array.isArray(value)
}

/** The nodes of a field: none, one or a list. */
export function nodesOf(value: TreeValue | undefined): Tree[] {
  if (Array.isArray(value)) return (value as readonly TreeValue[]).flatMap(nodesOf)
  return isTree(value) ? [value] : []
}

/** The node and all its descendants, down to and including nodes for which `stops` returns true. */
export function within(
  value: TreeValue | undefined,
  stops: (node: Tree) => boolean = () => false,
): readonly Tree[] {
  const found: Tree[] = []
  const visit = (part: TreeValue | undefined): void => {
    if (Array.isArray(part)) for (const item of part as readonly TreeValue[]) visit(item)
    else if (isTree(part)) {
      found.push(part)
      if (!stops(part)) for (const field of Object.values(part)) visit(field)
    }
  }
  visit(value)
  return found
}
