/**
 * The sample pictures of demonstration mode, for whoever tries the API and has no photos at hand.
 */
import type { FastifyInstance } from 'fastify'
import { drawPicture, samplePictures } from '../demo/pictures.ts'
import { ApiError } from '../errors.ts'

const size = { width: 1600, height: 1067 }

export function registerSamples(app: FastifyInstance): void {
  const drawn = new Map<number, Promise<Buffer>>()
  app.get<{ Params: { file: string } }>('/samples/:file', async (request, reply) => {
    const number = /^(\d{1,2})\.jpg$/.exec(request.params.file)?.[1]
    const scene = number === undefined ? undefined : samplePictures[Number(number) - 1]
    if (number === undefined || scene === undefined) {
      throw new ApiError('not_found', {
        message: `There are ${samplePictures.length} samples: /samples/1.jpg and on.`,
      })
    }
    const picture = drawn.get(Number(number)) ?? drawPicture(scene, size)
    drawn.set(Number(number), picture)
    return reply
      .type('image/jpeg')
      .header('cache-control', 'public, max-age=86400')
      .send(await picture)
  })
}
