/** Types of the parts of `smtp-server` that tests use; the package has none. */
declare module 'smtp-server' {
  import type { EventEmitter } from 'node:events'
  import type { Server } from 'node:net'
  import type { Readable } from 'node:stream'

  export class SMTPServer extends EventEmitter {
    constructor(options: {
      authOptional?: boolean
      allowInsecureAuth?: boolean
      disabledCommands?: string[]
      hideSTARTTLS?: boolean
      logger?: boolean
      closeTimeout?: number
      onAuth?: (
        credentials: unknown,
        session: unknown,
        callback: (error: Error | null, response: { user: string }) => void,
      ) => void
      onMailFrom?: (address: unknown, session: unknown, callback: (error?: Error | null) => void) => void
      onRcptTo?: (address: unknown, session: unknown, callback: (error?: Error | null) => void) => void
      onData: (
        stream: Readable,
        session: { envelope: { rcptTo: { address: string }[] } },
        callback: (error?: Error | null) => void,
      ) => void
    })
    readonly server: Server
    listen(port: number, host: string, callback: () => void): void
    close(callback: () => void): void
  }
}
