/**
 * The process that draws. The server blocks every image loader but those of photos, for its whole process, and scenes are
 * SVG: so they are drawn in a process of its own, which never sees a stranger's bytes. It starts when needed and ends when idle.
 */
import { type ChildProcess, fork } from 'node:child_process'
import type { PictureScene, PictureSize } from './pictures.ts'

/** What the painter is asked, and what it answers. */
export type PaintRequest = { id: number; scene: PictureScene; size: PictureSize }
export type PaintAnswer = { id: number; bytes: Uint8Array } | { id: number; error: string }

type Waiting = { resolve: (bytes: Buffer) => void; reject: (error: Error) => void }
type Painter = { process: ChildProcess; waiting: Map<number, Waiting>; idle: NodeJS.Timeout | null }

const idleMs = 5_000
let painter: Painter | null = null
let lastId = 0

/** Draws a scene in the painter process. @throws Error when that fails or ends */
export async function drawInPainter(scene: PictureScene, size: PictureSize): Promise<Buffer> {
  painter ??= startPainter()
  const current = painter
  const id = (lastId += 1)
  return new Promise((resolve, reject) => {
    current.waiting.set(id, { resolve, reject })
    keepAwake(current)
    current.process.send({ id, scene, size } satisfies PaintRequest, (error) => {
      if (error !== null) settle(current, id, (waiting) => waiting.reject(error))
    })
  })
}

function startPainter(): Painter {
  const process = fork(new URL('painter-process.ts', import.meta.url), {
    // It gets neither the settings' secrets nor the flags of this process.
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const started: Painter = { process, waiting: new Map(), idle: null }
  process.on('message', (answer: PaintAnswer) => {
    settle(started, answer.id, ({ resolve, reject }) => {
      if ('bytes' in answer)
        resolve(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength))
      else reject(new Error(`The picture could not be drawn: ${answer.error}`))
    })
  })
  const ended = (error: Error) => {
    if (painter === started) painter = null
    if (started.idle !== null) clearTimeout(started.idle)
    for (const { reject } of started.waiting.values()) reject(error)
    started.waiting.clear()
  }
  process.on('error', ended)
  process.on('exit', () => ended(new Error('The process that draws pictures ended.')))
  return started
}

function settle(current: Painter, id: number, how: (waiting: Waiting) => void): void {
  const waiting = current.waiting.get(id)
  if (waiting === undefined) return
  current.waiting.delete(id)
  how(waiting)
  if (current.waiting.size === 0) letSleep(current)
}

/** While a picture is awaited, this process must not end without it. */
function keepAwake(current: Painter): void {
  if (current.idle !== null) clearTimeout(current.idle)
  current.idle = null
  current.process.ref()
  current.process.channel?.ref()
}

/** An idle painter keeps nobody from ending, and ends itself before long: by losing its channel. */
function letSleep(current: Painter): void {
  current.process.unref()
  current.process.channel?.unref()
  current.idle = setTimeout(() => {
    if (painter === current) painter = null
    if (current.process.connected) current.process.disconnect()
  }, idleMs)
  current.idle.unref()
}
