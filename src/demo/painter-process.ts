/**
 * The painter: draws what its parent asks and answers with the bytes. It ends with the channel, and so with its parent.
 */
import process from 'node:process'
import sharp from 'sharp'
import type { PaintAnswer, PaintRequest } from './painter.ts'
import { renderScene } from './scenes.ts'

// One thread a picture is enough: several are drawn at a time. No picture is drawn twice.
sharp.concurrency(1)
sharp.cache(false)

process.on('message', (request: PaintRequest) => {
  void answer(request)
})
process.on('disconnect', () => process.exit())

async function answer({ id, scene, size }: PaintRequest): Promise<void> {
  let result: PaintAnswer
  try {
    result = { id, bytes: await renderScene(scene, size) }
  } catch (error) {
    result = { id, error: error instanceof Error ? error.message : String(error) }
  }
  // The parent may be gone by now, and nobody is left to tell.
  if (process.connected) process.send?.(result, () => undefined)
}
