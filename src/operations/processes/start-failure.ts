/** Explains a failed start in one line for the operator. */
import { ConfigError } from '../../platform/config/values.ts'

/** Names the setting to change, if there is one. */
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
