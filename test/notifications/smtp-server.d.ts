declare module 'smtp-server' {
  import type { EventEmitter } from 'node:events'
  import type { Server } from 'node:net'
  import type { Readable } from 'node:stream'

  export class SMTPServer extends EventEmitter {
    constructor(options: {
      authOptional?: boolean
      disabledCommands?: string[]
      hideSTARTTLS?: boolean
      logger?: boolean
      closeTimeout?: number
      onRcptTo?: (
        address: { address: string },
        session: unknown,
        callback: (error?: Error | null) => void,
      ) => void
      onData: (stream: Readable, session: unknown, callback: (error?: Error | null) => void) => void
    })
    readonly server: Server
    listen(port: number, host: string, callback: () => void): void
    close(callback: () => void): void
  }
}
