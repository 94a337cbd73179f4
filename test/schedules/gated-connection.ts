/**
 * A connection to PostgreSQL whose statements wait for their turn at a gate (gate.ts). It replaces the driver's socket. The driver sends
 * several statements in one packet; each ends with Sync or is a simple Query, and PostgreSQL responds to each with ReadyForQuery.
 */
import { type NetConnectOpts, Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { ClientConfig } from 'pg'
import { statementName } from '../faults/steps/step-proxy.ts'
import { messageReader } from '../support/network/counting-proxy.ts'
import type { Cut, Finish, Gate } from './gate.ts'

/** @param canBeCut whether the gate may cut the connection */
export function gated(connection: ClientConfig, gate: Gate, canBeCut: boolean): ClientConfig {
  return { ...connection, stream: () => gatedSocket(gate, canBeCut) }
}

/** The messages of a statement. */
type Group = { name: string; bytes: Buffer }

function gatedSocket(gate: Gate, canBeCut: boolean): Duplex {
  const socket = new Socket()
  const queue: Group[] = []
  let pid: number | null = null
  /** The group at the gate or at PostgreSQL. */
  let current: { finish: Finish; cut: Cut | null } | null = null
  let response: Buffer[] = []
  let parts: Buffer[] = []
  let name = ''
  const texts = new Map<string, string>()

  /** Enters the gate. @param send called when it is the step's turn */
  const enter = (name: string, send: () => void): void => {
    const own: NonNullable<typeof current> = { finish: () => {}, cut: null }
    current = own
    own.finish = gate.enter({
      name,
      canBeCut,
      pid,
      begin(cut) {
        own.cut = cut
        if (stream.destroyed || cut === 'before') own.finish(() => stream.destroy())
        else send()
      },
    })
  }
  const next = (): void => {
    const group = current === null ? queue.shift() : undefined
    if (group !== undefined) enter(group.name, () => socket.write(group.bytes))
  }

  const readDriver = messageReader({ hasStart: true }, ({ type, bytes }) => {
    // The start of the session, the password, and the end of the session.
    if (type === '' || type === 'p' || type === 'X') return void socket.write(bytes)
    parts.push(bytes)
    name ||= statementName(type, bytes, texts)
    if (type !== 'S' && type !== 'Q') return
    queue.push({ name, bytes: Buffer.concat(parts) })
    parts = []
    name = ''
    next()
  })
  const readServer = messageReader({ hasStart: false }, ({ type, bytes }) => {
    if (type === 'K') pid = bytes.readInt32BE(5)
    response.push(bytes)
    // The server waits for a response to some messages at the start, such as its request for the password.
    if (type !== 'Z' && pid === null) goOn()
    if (type === 'Z') current?.finish(current.cut === 'after' ? () => stream.destroy() : goOn)
  })
  const goOn = (): void => {
    const isWhole = response.at(-1)?.[0] === 'Z'.charCodeAt(0)
    stream.push(Buffer.concat(response))
    response = []
    if (!isWhole) return
    current = null
    next()
  }

  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      readDriver(chunk)
      done()
    },
    final(done) {
      socket.end(done)
    },
    destroy(error, done) {
      socket.destroy()
      current?.finish(() => {})
      done(error)
    },
  })
  socket.on('connect', () => stream.emit('connect'))
  socket.on('data', readServer)
  socket.on('end', () => stream.push(null))
  socket.on('error', (error) => stream.destroy(error))
  socket.on('close', () => stream.destroy())
  return Object.assign(stream, {
    connect: (...to: [NetConnectOpts]) => enter('connect', () => socket.connect(...to)),
    setNoDelay: () => void socket.setNoDelay(),
    setKeepAlive: (isOn: boolean, ms: number) => void socket.setKeepAlive(isOn, ms),
    ref: () => void socket.ref(),
    unref: () => void socket.unref(),
  })
}
