/** Helpers to read the OpenAPI document in tests: follow references, list everything of one kind. */
import { endpoints } from '../../../src/api/endpoints.ts'
import { exampleService, openApi } from '../../../src/http/openapi/document.ts'

export type Node = { [name: string]: Node } & { [index: number]: Node }
type Operation = { method: string; path: string; operation: Node }

/** The document as a client reads it. */
export const document = JSON.parse(JSON.stringify(openApi(endpoints, exampleService))) as Node

/** The target of `#/components/…`, or undefined. */
export function follow(reference: string): Node | undefined {
  const names = reference.slice('#/'.length).split('/')
  return names.reduce<Node | undefined>((node, name) => node?.[name], document)
}

/** The node with every reference replaced by its target. */
export function resolved(node: unknown): Node {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object' || value === null) return value
    const { $ref } = value as { $ref?: string }
    if (typeof $ref === 'string') return copy(follow($ref))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]))
  }
  return copy(node) as Node
}

export function operations(): Operation[] {
  return Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** Every object and list of the document that `matches`, with its place. */
export function findNodes(
  root: unknown,
  matches: (node: Node) => boolean,
  place = '#',
): { place: string; node: Node }[] {
  if (typeof root !== 'object' || root === null) return []
  const node = root as Node
  const inside = Object.entries(node).flatMap(([name, member]) =>
    findNodes(member, matches, `${place}/${name}`),
  )
  return matches(node) ? [{ place, node }, ...inside] : inside
}
