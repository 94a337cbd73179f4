/**
 * The index of the search in the documentation: operations, models, conventions, headers, errors, clauses and guides, each with its words.
 */
import { catalogue, errorCodes } from '../../../platform/error-catalogue.ts'
import {
  type Header,
  type OpenApiDocument,
  parametersIn,
  routesOf,
  type Schema,
  schemaOf,
} from './document.ts'
import type { Guide } from './guides.ts'
import { anchorOf } from './markdown.ts'
import { synonyms } from './synonyms.ts'

/** `text`, and `synonyms` where there are any, are lower case and without accents, as the page folds what the reader types. */
export type SearchEntry = { title: string; kind: string; href: string; text: string; synonyms?: string }

/** With links from the root of the service. */
export function searchEntries(
  document: OpenApiDocument,
  guides: readonly Guide[],
  contract: string,
): SearchEntry[] {
  const operations = routesOf(document).map(({ method, path, operation }) => {
    const parameters = (['path', 'query', 'header'] as const).flatMap((where) =>
      parametersIn(document, operation, where),
    )
    const names = parameters.map(({ name }) => name)
    const schema = schemaOf(operation.requestBody?.content)
    return {
      title: operation.summary,
      kind: `${method} ${path}`,
      href: `docs#${operation.operationId}`,
      text: [operation.description, ...names, schema === null ? '' : fieldNames(schema)].join(' '),
    }
  })
  const models = Object.entries(document.components.schemas).map(([name, schema]) => ({
    title: name,
    kind: 'Model',
    href: `docs#model-${name}`,
    text: `${schema.description ?? ''} ${fieldNames(schema)}`,
  }))
  const rules = sectionsOf(document.info.description).map(({ title, text }) => ({
    title,
    kind: 'Convention',
    href: `docs#${anchorOf(title)}`,
    text,
  }))
  const headers = Object.entries(document.components['headers'] ?? {}).map(([name, header]) => ({
    title: name,
    kind: 'Response header',
    href: `docs#header-${name}`,
    text: (header as Header).description ?? '',
  }))
  const errors = errorCodes.map((code) => {
    const { status, message, cause, remedy } = catalogue[code]
    return {
      title: code,
      kind: `Error ${status}`,
      href: `docs/errors#${code}`,
      text: `${message} ${cause} ${remedy}`,
    }
  })
  const pages = guides.flatMap(({ name, title, summary, text }) => [
    { title, kind: 'Guide', href: `docs/guides/${name}`, text: summary },
    ...sectionsOf(text).map((section) => ({
      title: section.title,
      kind: title,
      href: `docs/guides/${name}#${anchorOf(section.title)}`,
      text: section.text,
    })),
  ])
  const clauses = sectionsOf(contract, '### ').map(({ title, text }) => ({
    title,
    kind: 'Contract',
    href: `docs/contract#${anchorOf(title)}`,
    text,
  }))
  const called = synonymsByHref()
  return [...pages, ...operations, ...rules, ...headers, ...errors, ...models, ...clauses].map((entry) => {
    const words = called.get(entry.href)
    return {
      ...entry,
      text: folded(`${entry.title} ${entry.kind} ${entry.text}`),
      ...(words === undefined ? {} : { synonyms: folded(words) }),
    }
  })
}

function synonymsByHref(): Map<string, string> {
  const called = new Map<string, string>()
  for (const [words, hrefs] of synonyms)
    for (const href of hrefs) called.set(href, `${called.get(href) ?? ''} ${words}`)
  return called
}

/** The names of all fields and the words they take, inner ones too. */
function fieldNames({ properties = {}, items, oneOf = [], anyOf = [], enum: words = [] }: Schema): string {
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...oneOf, ...anyOf]
  return [...Object.keys(properties), ...words, ...inner.map(fieldNames)].join(' ')
}

/** Blocks of code: what is found in them is seldom what was looked for. */
const code = /^(`{3,})[^]*?^\1$/gm

/** The parts of a text below its headings of one level, without code. */
function sectionsOf(text: string, mark = '## '): { title: string; text: string }[] {
  return text
    .replaceAll(code, '')
    .split(`\n${mark}`)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      return { title: title.replaceAll('`', ''), text: lines.join(' ') }
    })
}

const marks = /\p{M}/gu

function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(marks, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}/_-]+/gu, ' ')
}
