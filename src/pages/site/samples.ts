/**
 * Sample pictures for trying out the API in demonstration mode.
 */
import type { FastifyInstance } from 'fastify'
import { readDemoJpeg, samplePictures } from '../../operations/demo/pictures.ts'
import { ApiError } from '../../platform/errors.ts'

export function registerSamples(app: FastifyInstance): void {
  const made = new Map<string, Promise<Buffer>>()
  app.get<{ Params: { file: string } }>('/samples/:file', async (request, reply) => {
    const number = /^(\d{1,2})\.jpg$/.exec(request.params.file)?.[1]
    const name = samplePictures[Number(number) - 1]
    if (name === undefined) {
      throw new ApiError('not_found', {
        message: `There are ${samplePictures.length} samples: /samples/1.jpg and on.`,
      })
    }
    const picture = made.get(name) ?? readDemoJpeg(name)
    made.set(name, picture)
    return reply
      .type('image/jpeg')
      .header('cache-control', 'public, max-age=86400')
      .send(await picture)
  })
}
