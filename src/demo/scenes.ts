/**
 * Every kind of drawn picture: who draws it, and how it becomes a JPEG. Runs in the painter process and in tests.
 */
import sharp from 'sharp'
import { balcony } from './draw-balcony.ts'
import { bathroom } from './draw-bathroom.ts'
import { bedroom } from './draw-bedroom.ts'
import { chalet } from './draw-chalet.ts'
import { clinic } from './draw-clinic.ts'
import { corridor } from './draw-corridor.ts'
import { garage } from './draw-garage.ts'
import { heritage } from './draw-heritage.ts'
import { house } from './draw-house.ts'
import { kitchen } from './draw-kitchen.ts'
import { living } from './draw-living.ts'
import { lot } from './draw-lot.ts'
import { office } from './draw-office.ts'
import { plan } from './draw-plan.ts'
import { pool } from './draw-pool.ts'
import { shop } from './draw-shop.ts'
import { anyHour, brightHours, canvas, type Hour, newSketch, type Sketch } from './draw-sketch.ts'
import { tower } from './draw-tower.ts'
import { vineyard } from './draw-vineyard.ts'
import { warehouse } from './draw-warehouse.ts'
import type { PictureScene, PictureSize, SceneKind } from './pictures.ts'

type Painter = (sketch: Sketch) => string

const painters: Record<SceneKind, Painter> = {
  house,
  chalet,
  tower,
  heritage,
  corridor,
  lot,
  vineyard,
  pool,
  shop,
  office,
  clinic,
  garage,
  warehouse,
  living,
  kitchen,
  bedroom,
  bathroom,
  balcony,
  plan,
}

/** Land and gardens are shown while there is something to see. */
const hours: Partial<Record<SceneKind, readonly Hour[]>> = {
  lot: brightHours,
  vineyard: brightHours,
  pool: brightHours,
  warehouse: brightHours,
  clinic: brightHours,
}

/** The picture as SVG, of the given size in pixels. */
export function sceneSvg({ kind, seed }: PictureScene, { width, height }: PictureSize): string {
  const sketch = newSketch(`${kind}:${seed}`, hours[kind] ?? anyHour)
  const body = painters[kind](sketch)
  const defs = [...sketch.defs.values()].map(({ element }) => element).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${canvas.width} ${canvas.height}" preserveAspectRatio="xMidYMid slice"><defs>${defs}</defs>${body}</svg>`
}

/** The picture as JPEG. Needs libvips' SVG loader, which a process that reads strangers' photos blocks. */
export async function renderScene(scene: PictureScene, size: PictureSize): Promise<Buffer> {
  return sharp(Buffer.from(sceneSvg(scene, size)))
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80 })
    .toBuffer()
}
