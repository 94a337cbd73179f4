/**
 * Strings that are known to cause trouble (api.md 4.4: plain text): stored and returned byte for byte through creating, reading,
 * searching and replaying, or refused by the rules for strings.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { naughtyStrings } from '../../corpora/corpora.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, listingOf, refused, type Shown } from '../../support/app/listings.ts'

const strings = naughtyStrings()
const isBlank = (text: string) => !/\S/.test(text)
const length = (text: string) => [...text].length

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

/** Runs over all items, a fixed number at a time. */
async function forAll(texts: readonly string[], check: (text: string, index: number) => Promise<void>) {
  for (let from = 0; from < texts.length; from += 10) {
    await Promise.all(texts.slice(from, from + 10).map((text, offset) => check(text, from + offset)))
  }
}

describe('every naughty string', () => {
  const kept = strings.filter((text) => !isBlank(text))
  const bytes = (text: unknown) => Buffer.from(String(text)).toString('hex')

  test('is loaded', () => {
    assert.ok(kept.length > 500)
  })

  test('comes back byte for byte from creating, replaying, reading and searching', async () => {
    const listings = kept.map((text, index) => {
      const short = [...text].slice(0, 80).join('')
      return {
        external_id: `naughty-${index}`,
        title: [...text].slice(0, 200).join(''),
        description: text,
        amenities: [short],
        location: { city: isBlank(short) ? null : short },
      }
    })
    const same = (shown: Shown | undefined, sent: (typeof listings)[number]) => {
      assert.equal(shown?.external_id, sent.external_id)
      assert.equal(bytes(shown.title), bytes(sent.title))
      assert.equal(bytes(shown['description']), bytes(sent.description))
      assert.equal(bytes((shown['amenities'] as string[])[0]), bytes(sent.amenities[0]))
      assert.equal(bytes(shown.location.city), bytes(sent.location.city))
    }
    for (let from = 0; from < listings.length; from += 50) {
      const items = listings.slice(from, from + 50)
      const key = randomUUID()
      const ask = () =>
        t.ask('POST', '/properties/batch', { body: { items }, headers: { 'idempotency-key': key } })
      for (const response of [await ask(), await ask()]) {
        const { results } = response.body as unknown as { results: { data?: Shown }[] }
        for (const [index, sent] of items.entries()) same(results[index]?.data, sent)
      }
    }
    await forAll(kept, async (_, index) => {
      const sent = listings[index]
      assert.ok(sent !== undefined)
      same(accepted(await t.ask('GET', `/properties/external/${sent.external_id}`)), sent)
      const { city } = sent.location
      const search = (names: readonly string[]) => {
        const query = new URLSearchParams({ status: 'draft', external_id: sent.external_id })
        for (const name of names) query.set(name, city ?? sent.amenities[0] ?? '')
        return t.ask('GET', `/properties?${query}`)
      }
      let response = await search(['q', 'city', 'neighborhood'])
      if (response.status === 400) {
        // `q` must have something left to search for; the others accept any text.
        refused(response, 'invalid_parameter', 'q')
        response = await search(['city', 'neighborhood'])
      }
      const [found] = accepted(response) as unknown as Shown[]
      same(found, sent)
    })
  })

  test('in a query, a path or a header gets a response below 500', async () => {
    const headers = ['if-none-match', 'if-match', 'idempotency-key', 'x-api-key', 'user-agent', 'origin']
    await forAll(strings, async (text, index) => {
      const encoded = encodeURIComponent(text)
      const paths = [
        `/properties?q=${encoded}`,
        `/properties?${encoded}=1`,
        `/properties?updated_since=${encoded}`,
        `/properties?type=${encoded}&fields=${encoded}`,
        `/properties/${encoded}`,
        `/properties/external/${encoded}`,
        `/x${encoded}`,
      ]
      // Three paths for each text, in turn.
      for (const turn of [0, 2, 4]) {
        const path = paths[(index + turn) % paths.length] ?? ''
        const { status } = await t.ask('GET', path)
        assert.ok(status < 500, path)
      }
      const header = Buffer.from(text.replaceAll(/[\r\n\0]/g, '')).toString('latin1')
      if (header === '' || !/^[\t -~\u0080-\u00ff]*$/.test(header)) return
      // One header per text, in turn.
      const name = headers[index % headers.length] ?? ''
      const { status } = await t.ask('PATCH', '/properties/ZZZZ9999', {
        body: {},
        headers: { [name]: header },
      })
      assert.ok(status >= 400 && status < 500, `${name} ${text}`)
    })
  })

  test('in place of any other value gets 400 or is accepted, field by field', async () => {
    const { id } = listingOf(await t.ask('POST', '/properties', { body: { title: 'Campos' } }))
    const fields: Record<string, (text: string) => unknown> = {
      external_id: (text) => ({ external_id: text }),
      type: (text) => ({ type: text }),
      currency: (text) => ({ price: { amount: 1, currency: text } }),
      video_url: (text) => ({ video_url: text }),
      orientation: (text) => ({ features: { orientation: text } }),
      name: (text) => ({ [text]: text }),
      address: (text) => ({ address: text, force_duplicate: true }),
    }
    const names = Object.keys(fields)
    await forAll(strings, async (text, index) => {
      // Two fields per text, in turn.
      for (const name of [names[index % names.length], names[(index + 3) % names.length]] as string[]) {
        const response = await t.ask('PATCH', `/properties/${id}`, { body: fields[name]?.(text) })
        assert.ok([200, 400, 409].includes(response.status), `${name} ${text} ${response.text}`)
      }
    })
  })

  test('that is blank is refused if the field requires text', async () => {
    for (const text of strings.filter(isBlank)) {
      refused(await t.ask('POST', '/properties', { body: { title: text } }), 'invalid_parameter', 'title')
    }
    assert.ok(strings.some((text) => length(text) === 0))
  })
})
