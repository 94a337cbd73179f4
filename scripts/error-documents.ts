/**
 * Generates from the catalogue of errors: the table in docs/api.md 5.3, and the codes of the TypeScript client.
 */
import { catalogue, type ErrorCode, errorCodes } from '../src/platform/errors/error-catalogue.ts'

/** @param api the text of docs/api.md, whose clauses the table links to */
export function errorTable(api: string): string {
  const rows = errorCodes.map((code) => {
    const { status, cause } = catalogue[code]
    return `| ${status} | \`${code}\` | ${cause}${linkOf(code, api)} | ${keptText(code)} |`
  })
  return ['| Status | Code | Cause | Kept |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The Markdown link to the clause that describes the error; empty if there is none. */
function linkOf(code: ErrorCode, api: string): string {
  const { clause } = catalogue[code]
  if (clause === undefined) return ''
  const heading = api.split('\n').find((line) => line.startsWith(`### ${clause} `))
  if (heading === undefined) throw new Error(`docs/api.md has no clause ${clause}`)
  const anchor = heading
    .slice('### '.length)
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
  return ` [${clause}](#${anchor})`
}

function keptText(code: ErrorCode): string {
  const { isReplayed = false } = catalogue[code]
  if (isReplayed === 'unless photos failed') return 'unless a download failed'
  return isReplayed ? 'yes' : 'no'
}

const header = `/**
 * The codes of the API's errors, and the members that each may have. Generated: \`npm run openapi\` writes this file.
 */
`

/** @returns the text of clients/typescript/src/error-codes.ts */
export function clientErrorCodes(): string {
  const codes = errorCodes.map((code) => `  '${code}',\n`)
  const members = errorCodes.flatMap((code) => {
    const names = Object.keys(catalogue[code].members ?? {})
    return names.length === 0 ? [] : `  ${code}: ${names.map((name) => `'${name}'`).join(' | ')}\n`
  })
  return `${header}
export const apiErrorCodes = [
${codes.join('')}] as const

/** By code: its members beyond those of every error. */
export type MembersOf = {
${members.join('')}}
`
}
