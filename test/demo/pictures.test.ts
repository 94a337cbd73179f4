// The drawn pictures: real JPEGs, the same every time, no two alike.
// alone: what photos forbid sharp to read, they forbid to the whole process
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { demoAgencies } from '../../src/demo/listings.ts'
import { drawPicture, type PictureScene, samplePictures, sceneKinds } from '../../src/demo/pictures.ts'
import { renderScene, sceneSvg } from '../../src/demo/scenes.ts'

const large = { width: 1600, height: 1067 }
const small = { width: 300, height: 200 }

describe('scenes', () => {
  test('every kind is drawn, and other seeds give other pictures', async () => {
    const drawn = new Map<string, string>()
    for (const kind of sceneKinds) {
      for (const seed of [1, 2]) {
        const bytes = await renderScene({ kind, seed }, small)
        const digest = bytes.toString('base64')
        assert.equal(drawn.get(digest), undefined, `${kind} ${seed}`)
        drawn.set(digest, `${kind} ${seed}`)
        const { format, width, height } = await sharp(bytes).metadata()
        assert.deepEqual({ format, width, height }, { format: 'jpeg', ...small })
      }
    }
  })

  test('every scene of the demonstration differs from every other', () => {
    const used: PictureScene[] = [
      ...samplePictures,
      ...demoAgencies.flatMap(({ listings }) => listings.flatMap(({ pictures }) => pictures)),
    ]
    const scenes = new Map(used.map((scene) => [`${scene.kind} ${scene.seed}`, scene]))
    const svgs = new Set([...scenes.values()].map((scene) => sceneSvg(scene, large)))
    assert.equal(svgs.size, scenes.size)
  })

  test('seeds of any size draw something, without letters and without anything from elsewhere', () => {
    for (const kind of sceneKinds) {
      for (const seed of [0, -7, 1.5, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
        const svg = sceneSvg({ kind, seed }, small)
        assert.doesNotMatch(svg, /NaN|undefined|Infinity|null|<text|<image|href/, `${kind} ${seed}`)
        assert.match(svg, /^<svg [^>]+width="300" height="200"/)
      }
    }
  })

  test('no scene is empty or of one colour', async () => {
    for (const kind of sceneKinds) {
      const { channels } = await sharp(await renderScene({ kind, seed: 5 }, small)).stats()
      for (const { stdev } of channels) assert.ok(stdev > 12, `${kind}: ${stdev}`)
    }
  })
})

describe('the painter', () => {
  test('draws the same bytes again, in a process of its own', async () => {
    const scene = { kind: 'house', seed: 3 } as const
    const [one, other, here] = await Promise.all([
      drawPicture(scene, large),
      drawPicture(scene, large),
      renderScene(scene, large),
    ])
    assert.ok(one.equals(other))
    assert.ok(one.equals(here))
    const { format, width, height } = await sharp(one).metadata()
    assert.deepEqual({ format, width, height }, { format: 'jpeg', ...large })
  })

  test('draws although this process refuses SVG, as the server does', async () => {
    sharp.block({ operation: ['VipsForeignLoadSvg'] })
    await assert.rejects(renderScene({ kind: 'pool', seed: 1 }, small))
    const bytes = await drawPicture({ kind: 'pool', seed: 1 }, small)
    assert.equal(bytes.subarray(0, 3).toString('hex'), 'ffd8ff')
  })

  test('says what failed, and goes on', async () => {
    await assert.rejects(
      drawPicture({ kind: 'house', seed: 1 }, { width: 0, height: 0 }),
      /could not be drawn/,
    )
    const pictures = await Promise.all(sceneKinds.map((kind) => drawPicture({ kind, seed: 9 }, small)))
    assert.equal(pictures.length, sceneKinds.length)
  })

  test('has twelve samples, all different', () => {
    assert.equal(samplePictures.length, 12)
    assert.equal(new Set(samplePictures.map(({ kind, seed }) => `${kind} ${seed}`)).size, 12)
  })
})
