/** One round of writes and reads, as the system of an agency makes them. */
import { randomUUID } from 'node:crypto'
import { freshAddress } from '../../test/support/app/app.ts'
import type { ApiResponse, Write } from '../support/ask.ts'

export type Kept = { write: Write; text: string }

/** Creates a listing, changes it, and creates some more in a batch. @returns the writes with an Idempotency-Key */
export async function writeSome(send: (write: Write) => Promise<ApiResponse>): Promise<Kept[]> {
  const kept: Kept[] = []
  const keyed = async (path: string, body: unknown): Promise<ApiResponse> => {
    const write = { method: 'POST', path, body, idempotencyKey: randomUUID() }
    const response = await send(write)
    kept.push({ write, text: response.text })
    return response
  }
  const created = await keyed('/properties', {
    title: 'Casa',
    address: freshAddress(),
    external_id: randomUUID(),
  })
  const path = `/properties/${String(created.body.data['id'])}`
  await send({ method: 'PATCH', path, body: { title: 'Casa reformada' } })
  await send({ method: 'GET', path })
  const items = Array.from({ length: 3 }, () => ({ external_id: randomUUID(), title: 'Depto' }))
  await keyed('/properties/batch', { items })
  await send({ method: 'PUT', path: `/properties/external/${randomUUID()}`, body: { title: 'Terreno' } })
  await send({ method: 'GET', path: '/changes?limit=5' })
  return kept
}
