/**
 * The process that draws. The server blocks every image loader but those of photos, for its whole process, and scenes are
 * SVG: so they are drawn in a process of its own, which never sees a stranger's bytes.
 */
import { helperProcess } from '../helper-process.ts'
import type { PictureScene, PictureSize } from './pictures.ts'

export type PaintRequest = { scene: PictureScene; size: PictureSize }

const idleMs = 5_000
const paint = helperProcess<PaintRequest, Uint8Array>(new URL('painter-process.ts', import.meta.url), idleMs)

/** Draws a scene in the painter process. @throws Error when that fails or ends */
export async function drawInPainter(scene: PictureScene, size: PictureSize): Promise<Buffer> {
  const bytes = await paint({ scene, size }).catch((error: Error) => {
    throw new Error(`The picture could not be drawn: ${error.message}`, { cause: error })
  })
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
