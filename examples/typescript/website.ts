/**
 * The listings on an agency's own website, served from a local copy: fast, and up even while the service is
 * down.
 *
 *   PORT=8080 node website.ts    then open http://127.0.0.1:8080/
 *
 * It needs a read-only key. At most once a minute, a visit updates the copy through GET /changes. A
 * listing's own page shows more than the copy holds: it is read on demand, and revalidated with
 * If-None-Match. The copy is the file WEBSITE_COPY, website.json by default.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { ApiError, call } from './api.ts'
import { readChanges } from './changes.ts'

type Card = {
  id: string
  status: string
  title: string
  operation: string
  price: { amount: number | null; currency: string | null; period?: string | null }
  location: { city: string | null }
  photos: string[]
}
type Listing = Card & { description: string | null; address: string; amenities: string[] }
type Copy = { cursor: string | null; cards: Map<string, Card> }

const cardFields = 'status,title,operation,price,location,photos'
const path = process.env['WEBSITE_COPY'] ?? 'website.json'
const freshMs = Number(process.env['WEBSITE_FRESH_SECONDS'] ?? 60) * 1000
// Visitors do not wait for retries.
const patience = { attempts: 1, timeoutSeconds: 5 }

let copy = readCopy()
let refreshedAt = 0
let refreshing: Promise<void> | null = null
const details = new Map<string, { etag: string | undefined; listing: Listing; checkedAt: number }>()

/** Applies what is new. Copy and cursor change together, on disk and in memory. */
async function refresh(): Promise<void> {
  const { changes, cursor, isComplete } = await readChanges<Card>(copy.cursor, cardFields, patience)
  const cards = new Map(isComplete ? [] : copy.cards)
  for (const { id, property } of changes) {
    cards.delete(id)
    // A key that can write also sees drafts.
    if (property?.status === 'published') cards.set(id, property)
  }
  if (cursor === copy.cursor) return
  writeFileSync(`${path}.new`, JSON.stringify({ cursor, cards: [...cards] }))
  renameSync(`${path}.new`, path)
  copy = { cursor, cards }
}

function readCopy(): Copy {
  if (!existsSync(path)) return { cursor: null, cards: new Map() }
  const { cursor, cards } = JSON.parse(readFileSync(path, 'utf8'))
  return { cursor, cards: new Map(cards) }
}

async function keepFresh(): Promise<void> {
  if (Date.now() - refreshedAt < freshMs) return
  refreshing ??= refresh()
    .catch((error: unknown) => console.error(`The copy stays as it is: ${String(error)}`))
    .finally(() => {
      refreshedAt = Date.now()
      refreshing = null
    })
  await refreshing
}

/** The full listing, revalidated at most once a minute; the last known version if the service is down; `null` if it is not published. */
async function read(id: string): Promise<(Card & Partial<Listing>) | null> {
  const card = copy.cards.get(id)
  const known = details.get(id)
  if (card === undefined) return null
  if (known !== undefined && Date.now() - known.checkedAt < freshMs) return known.listing
  try {
    const { etag = undefined, listing } = known ?? {}
    const answer = await call<{ data: Listing }>('GET', `/api/v1/properties/${id}`, { etag, ...patience })
    // 304 has no body: the known version is current.
    const current = answer.status === 304 && listing !== undefined ? listing : answer.body.data
    details.set(id, { etag: answer.etag ?? undefined, listing: current, checkedAt: Date.now() })
    return current
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    return known?.listing ?? card
  }
}

/** Texts are plain text, as somebody typed them: escape everything that goes into a page. */
const escape = (value: unknown) =>
  String(value ?? '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function priceOf({ price: { amount, currency, period } }: Card): string {
  if (amount === null) return 'Consultar precio'
  const per = { month: ' por mes', week: ' por semana', night: ' por noche' }[period ?? ''] ?? ''
  return `${currency} ${amount.toLocaleString('es-AR')}${per}`
}

const cardHtml = (card: Card) => `<li>
  <a href="/?id=${escape(card.id)}">
    <img src="${escape(card.photos[0]?.replace('large.webp', 'small.webp'))}" alt="" width="320" loading="lazy">
    ${escape(card.title)}</a>
  <p>${escape(priceOf(card))} · ${escape(card.location.city)}</p>
</li>`

const listingHtml = (listing: Card & Partial<Listing>) => `<h1>${escape(listing.title)}</h1>
<p>${escape(priceOf(listing))} · ${escape(listing.address)}, ${escape(listing.location.city)}</p>
${listing.photos.map((photo) => `<img src="${escape(photo)}" alt="" width="800" loading="lazy">`).join('\n')}
<p style="white-space: pre-line">${escape(listing.description)}</p>
<p><a href="/">Todas las propiedades</a></p>`

/** The page of an address: status, title, body. */
async function pageOf(url: string): Promise<[number, string, string]> {
  if (copy.cursor === null) return [503, 'Volvemos en un momento', '']
  if (url === '/') {
    // Latest change first.
    const cards = [...copy.cards.values()].reverse()
    return [200, 'Propiedades', `<h1>Propiedades</h1>\n<ul>\n${cards.map(cardHtml).join('\n')}\n</ul>`]
  }
  const listing = await read(/^\/\?id=(\w+)$/.exec(url)?.[1] ?? '')
  if (listing === null)
    return [404, 'No encontrada', '<p>Esta propiedad ya no está publicada. <a href="/">Ver todas</a></p>']
  return [200, listing.title, listingHtml(listing)]
}

const server = createServer(async ({ url = '/' }, response) => {
  await keepFresh()
  const [status, title, body] = await pageOf(url)
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; img-src *; style-src 'unsafe-inline'",
  })
  response.end(`<!doctype html>
<html lang="es-AR">
<meta name="viewport" content="width=device-width">
<title>${escape(title)}</title>
${body}
</html>
`)
})
server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => console.log('The website is open.'))
