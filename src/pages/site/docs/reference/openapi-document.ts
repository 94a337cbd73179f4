/** The OpenAPI document, with types for the parts that the reference reads. */

type Bound = 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'exclusiveMinimum' | 'minItems' | 'maxItems'

/** A schema in JSON Schema 2020-12. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
} & Partial<Record<Bound, number>>

export type Parameter = {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

type Examples = Record<string, { $ref?: string; summary?: string; value?: unknown }>
type Media = { schema: Schema; example?: unknown; examples?: Examples }
type Content = { 'application/json'?: Media }

export type Header = { $ref?: string; description?: string; schema: Schema }

export type ResponseObject = {
  $ref?: string
  description: string
  headers?: Record<string, Header>
  content?: Content
}

type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: unknown[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject>
}

export type OpenApiDocument = {
  info: { title: string; description: string }
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> } & Record<string, Record<string, unknown>>
}

/** An operation with its method in upper case and its path below the prefix. */
export type Route = { method: string; path: string; operation: Operation }

export function routesOf(document: OpenApiDocument): Route[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** The object, or the one that it refers to. */
export function followed<T extends { $ref?: string }>(document: OpenApiDocument, node: T): T {
  if (node.$ref === undefined) return node
  const [, , kind = '', name = ''] = node.$ref.split('/')
  return document.components[kind]?.[name] as T
}

/** `#/components/schemas/Property` → `Property` */
export function modelName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** An example; its title is null if it is the only one. */
export type Example = { title: string | null; value: unknown }

/** The examples of a body or a response. */
export function examplesOf(document: OpenApiDocument, content: Content | undefined): Example[] {
  const media = content?.['application/json']
  if (media === undefined) return []
  if (media.examples === undefined)
    return media.example === undefined ? [] : [{ title: null, value: media.example }]
  return Object.entries(media.examples).map(([name, one]) => {
    const { summary = name, value } = followed(document, one)
    return { title: summary, value }
  })
}

export function schemaOf(content: Content | undefined): Schema | null {
  return content?.['application/json']?.schema ?? null
}

/** The parameters of an operation in its path, query or headers. */
export function parametersIn(
  document: OpenApiDocument,
  { parameters = [] }: Operation,
  where: Parameter['in'],
): Parameter[] {
  return parameters.map((one) => followed(document, one)).filter((one) => one.in === where)
}
