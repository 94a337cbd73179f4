/** The index of the documentation's search: operations, models, conventions, headers, errors, clauses and guides, each with its text. */
import { catalogue, errorCodes } from '../../../platform/errors/error-catalogue.ts'
import {
  type Header,
  type OpenApiDocument,
  parametersIn,
  routesOf,
  type Schema,
  schemaOf,
} from './reference/openapi-document.ts'
import type { Guide } from './guides.ts'
import { anchorOf } from './markdown.ts'
import { synonyms } from './synonyms.ts'

/** `text` and `synonyms` are lower case and without accents, as the page folds the words that the reader types. */
export type SearchEntry = { title: string; kind: string; href: string; text: string; synonyms?: string }

type EntryTexts = readonly [title: string, kind: string, href: string, text: string]

/** @returns entries whose links start at the root of the service */
export function searchEntries(
  document: OpenApiDocument,
  guides: readonly Guide[],
  contract: string,
): SearchEntry[] {
  const operations = routesOf(document).map(({ method, path, operation }): EntryTexts => {
    const { summary, operationId, description, requestBody } = operation
    const names = (['path', 'query', 'header'] as const).flatMap((where) =>
      parametersIn(document, operation, where).map(({ name }) => name),
    )
    const body = fieldNames(schemaOf(requestBody?.content) ?? {})
    return [summary, `${method} ${path}`, `docs#${operationId}`, [description, ...names, body].join(' ')]
  })
  const models = Object.entries(document.components.schemas).map(([name, schema]): EntryTexts => {
    const text = `${schema.description ?? ''} ${fieldNames(schema)}`
    return [name, 'Model', `docs#model-${name}`, text]
  })
  const headers = Object.entries(document.components['headers'] ?? {}).map(([name, header]): EntryTexts => {
    const { description = '' } = header as Header
    return [name, 'Response header', `docs#header-${name}`, description]
  })
  const errors = errorCodes.map((code): EntryTexts => {
    const { status, message, cause, remedy } = catalogue[code]
    return [code, `Error ${status}`, `docs/errors#${code}`, `${message} ${cause} ${remedy}`]
  })
  const pages = guides.flatMap(({ name, title, summary, text }) => [
    [title, 'Guide', `docs/guides/${name}`, summary] as const,
    ...sectionsOf(text, title, `docs/guides/${name}`),
  ])
  const rules = sectionsOf(document.info.description, 'Convention', 'docs')
  const clauses = sectionsOf(contract, 'Contract', 'docs/contract', '### ')
  const entries = [...pages, ...operations, ...rules, ...headers, ...errors, ...models, ...clauses]
  return entries.map(([title, kind, href, text]) => {
    const words = synonymsOf(href)
    return {
      title,
      kind,
      href,
      text: folded(`${title} ${kind} ${text}`),
      ...(words !== '' && { synonyms: folded(words) }),
    }
  })
}

function synonymsOf(href: string): string {
  const lists = Object.entries(synonyms).filter(([hrefs]) => hrefs.split(' ').includes(href))
  return lists.map(([, words]) => words).join(' ')
}

/** The names of all fields and the values of their enumerations, at every depth. */
function fieldNames({ properties = {}, items, oneOf = [], anyOf = [], enum: words = [] }: Schema): string {
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items]), ...oneOf, ...anyOf]
  return [...Object.keys(properties), ...words, ...inner.map(fieldNames)].join(' ')
}

/** Blocks of code, in which readers rarely find what they search for. */
const code = /^(`{3,})[^]*?^\1$/gm

/** The sections of a page below its headings of one level, without code. */
function sectionsOf(text: string, kind: string, page: string, mark = '## '): EntryTexts[] {
  const sections = text.replaceAll(code, '').split(`\n${mark}`).slice(1)
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n')
    const title = heading.replaceAll('`', '')
    return [title, kind, `${page}#${anchorOf(title)}`, lines.join(' ')]
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
