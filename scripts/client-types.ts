/**
 * Generates the types of the TypeScript client from the OpenAPI document. Error responses, headers and examples are omitted: the client
 * does not use them, and they are three quarters of the document.
 */
import openapiTS, { astToString } from 'openapi-typescript'

type Node = { [name: string]: unknown }

const header = `/**
 * The shapes on the wire. Generated: \`npm run openapi\` writes this file.
 */
`

/** @returns the text of clients/typescript/src/openapi.ts */
export async function clientTypes(document: unknown): Promise<string> {
  const slim = withoutErrors(structuredClone(document) as Node)
  return header + astToString(await openapiTS(JSON.stringify(slim), { silent: true }))
}

function withoutErrors(document: Node): Node {
  const components = document['components'] as Node
  const shared = (components['parameters'] ?? {}) as Record<string, Node>
  for (const name of ['responses', 'headers', 'examples', 'parameters', 'securitySchemes'])
    delete components[name]
  for (const path of Object.values(document['paths'] as Record<string, Node>))
    for (const operation of Object.values(path) as Node[]) {
      const parameters = (operation['parameters'] ?? []) as Node[]
      operation['parameters'] = parameters
        .map((parameter) => shared[String(parameter['$ref']).split('/').at(-1) ?? ''] ?? parameter)
        .filter(({ in: place }) => place === 'query' || place === 'path')
      delete operation['security']
      const responses = operation['responses'] as Record<string, Node>
      for (const [status, response] of Object.entries(responses))
        if (!status.startsWith('2')) delete responses[status]
        else delete response['headers']
    }
  return without(document, ['example', 'examples']) as Node
}

/** Removes these keywords everywhere. No field of the API has such a name. */
function without(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !names.includes(name))
      .map(([name, inner]) => [name, without(inner, names)]),
  )
}
