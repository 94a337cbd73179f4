/** Runs the sync command in tests: on a CSV as a Spanish spreadsheet writes it, using the application's clock. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { ListingsClient, type Property } from '../../../clients/typescript/src/index.ts'
import type { Outcome } from '../../../clients/typescript/src/sync/outcomes.ts'
import { run } from '../../../clients/typescript/src/sync/run.ts'
import { freshAddress, type TestApp } from '../app/app.ts'

export type Listing = {
  code: string
  title: string
  price: string
  address: string
  photos: string
  state: string
}

export const listings = (count: number): Listing[] =>
  Array.from({ length: count }, (_, index) => ({
    code: `CRM-${index}`,
    title: `Casa "linda"; la ${index}\nCon jardín`,
    price: `U$S ${100 + index}.500`,
    address: freshAddress(),
    photos: [1, 2, 3].map((photo) => `https://photos.example/${index}-${photo}.jpg`).join(' | '),
    state: 'Publicada',
  }))

export function writeListings(file: string, rows: readonly Listing[]): void {
  const header = [
    'Código',
    'Título',
    'Operación',
    'Tipo',
    'Precio',
    'Dirección',
    'Localidad',
    'Latitud',
    'Longitud',
    'Fotos',
    'Estado',
  ]
  const cells = rows.map(({ code, title, price, address, photos, state }) =>
    [code, title, 'Venta', 'Casa', price, address, 'La Plata', '-34,92', '-57,95', photos, state].map(
      (cell) => `"${cell.replaceAll('"', '""')}"`,
    ),
  )
  writeFileSync(file, `\uFEFF${[header, ...cells].map((row) => row.join(';')).join('\r\n')}\r\n`)
}

export type Ran = { code: number; out: string; err: string; report: Outcome[] }

type Running = {
  app: TestApp
  url: string
  key: string
  file: string
  words: readonly string[]
  abort?: AbortSignal
  /** Called whenever it waits for a limit. */
  onPause?: () => Promise<void>
}

/** Waits take no time: the application's clock moves instead. */
export async function runSync({ app, url, key, file, words, abort, onPause }: Running): Promise<Ran> {
  const report = `${file}.report.json`
  let out = ''
  let err = ''
  const code = await run({
    words: ['sync', file, '--url', url, '--report', report, ...words],
    environment: { SVC_API_KEY: key },
    out: { write: (text) => (out += text) },
    err: { write: (text: string) => (err += text) },
    stop: new AbortController().signal,
    abort: abort ?? new AbortController().signal,
    now: () => Date.now() + app.clock.offsetMs,
    async pause(ms) {
      app.clock.offsetMs += ms
      await onPause?.()
    },
  })
  let written: Outcome[] = []
  try {
    written = JSON.parse(readFileSync(report, 'utf8')) as Outcome[]
    rmSync(report)
  } catch {
    // The command ended before.
  }
  return { code, out, err, report: written }
}

/** The listings stored by the service, by external id. */
export async function storedListings(app: TestApp, key: string): Promise<Map<string, Property>> {
  const found = new Map<string, Property>()
  for await (const { property } of new ListingsClient({ baseUrl: app.baseUrl, key }).changes())
    if (property !== null) found.set(property.external_id ?? '', property)
  return found
}
