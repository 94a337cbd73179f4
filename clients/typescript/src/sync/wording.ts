/**
 * Rephrases the service's messages about requests in terms of the file and the command.
 */

/** @param columns path → column of the listing's row */
export function inWordsOfFile(message: string, columns: ReadonlyMap<string, string> = new Map()): string {
  return message
    .replaceAll(/`?items\[\d+\](?:\.([\w.]+)(?:\[(\d+)\])?)?`?/g, (_, path?: string, index?: string) => {
      if (path === undefined) return 'the row'
      const column = columns.get(path)
      const name = column === undefined ? path : `"${column}"`
      return index === undefined ? name : `${name}, number ${Number(index) + 1}`
    })
    .replaceAll(/(?:send )?`?force_duplicate: true`?/g, 'use --force-duplicates')
    .replaceAll('an earlier item', 'an earlier row')
}

/** A message of the client in the names of the command's own settings. */
export function inWordsOfCommand(message: string): string {
  return message.replaceAll('baseUrl', '--url or SVC_BASE_URL').replaceAll('serviceName', '--service-name')
}

/** Advice for an error that ends the command, if its settings are the cause. */
export function adviceOn(code: string, hasSecret: boolean): string {
  switch (code) {
    case 'invalid_signature':
      return hasSecret
        ? ' Is SVC_SIGNING_SECRET the secret of this key?'
        : ' The key requires signatures: set SVC_SIGNING_SECRET to the secret that was shown with it.'
    case 'insufficient_scope':
    case 'forbidden':
      return ' The command needs a key with properties:read and properties:write.'
    case 'missing_api_key':
    case 'invalid_api_key':
    case 'revoked_api_key':
    case 'expired_api_key':
      return ' The key is the one in SVC_API_KEY.'
    case 'connection_failed':
    case 'timed_out':
    case 'not_found':
      return ' The address is that of --url or SVC_BASE_URL.'
    default:
      return ''
  }
}
