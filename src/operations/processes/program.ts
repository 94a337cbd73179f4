/** Prints lines for the operator, and ends the process cleanly: shared by the programs of the server and the worker. */
import { describeUnreadable, type StoredSecrets } from '../../access/secrets/stored-secrets.ts'
import { ConfigError } from '../../platform/config/settings-reader.ts'

/** The time is UTC, as in the structured log. */
export function print(line: string): void {
  show(`${new Date().toISOString()} ${line}`)
}

/** Writes a text of several lines for the person at the terminal, without the time. */
export function show(text: string): void {
  process.stderr.write(`${text}\n`)
}

/**
 * At the first of the signals, closes and ends the process.
 * @param notice printed at that time
 * @param fail called if closing fails; ends the process too
 * @returns whether it is closing
 */
export function closeAtSignals(
  signals: readonly NodeJS.Signals[],
  notice: string,
  close: () => Promise<void>,
  fail: (error: unknown) => never,
): () => boolean {
  let isClosing = false
  const end = (): void => {
    if (isClosing) return
    isClosing = true
    print(notice)
    close().then(() => process.exit(0), fail)
  }
  for (const signal of signals) process.on(signal, end)
  return () => isClosing
}

/** Warns the operator if SECRET_KEY is wrong. */
export function reportSecrets(found: StoredSecrets): void {
  const problem = describeUnreadable(found)
  if (problem !== null) print(`${problem} See docs/operations/secret-key.md.`)
}

/** Explains a failed start of the server in one line, and names the setting to change, if there is one. */
export function startFailure(error: unknown): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (error instanceof ConfigError) return message
  if (code === 'EADDRINUSE')
    return `PORT is taken: another program listens there (${message}). Set PORT to another.`
  if (syscall === 'listen' && code === 'EACCES')
    return `PORT needs more rights than this user has (${message}). Set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return `HOST is not an IP of this machine (${message}). Set HOST to 127.0.0.1, 0.0.0.0 or one of its own.`
  return `The server cannot start: ${message}`
}
