/**
 * The demonstration's pictures: illustrations that the program draws itself, so that it needs neither a network nor files.
 */
import { drawInPainter } from './painter.ts'

export const sceneKinds = [
  'house',
  'chalet',
  'tower',
  'heritage',
  'corridor',
  'lot',
  'vineyard',
  'pool',
  'shop',
  'office',
  'clinic',
  'garage',
  'warehouse',
  'living',
  'kitchen',
  'bedroom',
  'bathroom',
  'balcony',
  'plan',
] as const
export type SceneKind = (typeof sceneKinds)[number]

/** What a picture shows. Another seed gives another picture of the same kind. */
export type PictureScene = { kind: SceneKind; seed: number }

/** In pixels. Scenes are composed for 3 to 2; other proportions show less of them. */
export type PictureSize = { width: number; height: number }

/**
 * Draws a picture: the same scene and size give the same bytes, different scenes different ones.
 * @returns a JPEG
 * @throws Error when the drawing process fails
 */
export async function drawPicture(scene: PictureScene, size: PictureSize): Promise<Buffer> {
  return drawInPainter({ kind: scene.kind, seed: scene.seed }, { width: size.width, height: size.height })
}

/** The sample pictures that clients may use to try the photo operations: number 1 is the first. */
export const samplePictures: readonly PictureScene[] = [
  { kind: 'house', seed: 23 },
  { kind: 'living', seed: 2 },
  { kind: 'kitchen', seed: 36 },
  { kind: 'bedroom', seed: 37 },
  { kind: 'bathroom', seed: 3 },
  { kind: 'pool', seed: 12 },
  { kind: 'tower', seed: 15 },
  { kind: 'balcony', seed: 1 },
  { kind: 'heritage', seed: 6 },
  { kind: 'chalet', seed: 2 },
  { kind: 'corridor', seed: 2 },
  { kind: 'vineyard', seed: 5 },
]
