/**
 * Strings that are known to cause trouble (api.md 4.4: plain text): stored and returned byte for byte through creating, reading,
 * searching and replaying, or refused by the rules for strings.
 */
// alone: it takes long
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { naughtyStrings } from '../corpora/corpora.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { accepted, listingOf, refused, type Shown } from '../support/listings.ts'

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

  it('is loaded', () => {
    assert.ok(kept.length > 500)
  })

  it('comes back byte for byte from creating, reading, listing and searching', async () => {
    await forAll(kept, async (text, index) => {
      const externalId = `naughty-${index}`
      const title = [...text].slice(0, 200).join('')
      const short = [...text].slice(0, 80).join('')
      const sent = {
        external_id: externalId,
        title,
        description: text,
        amenities: [short],
        ...(isBlank(short) ? {} : { location: { city: short } }),
      }
      const same = (shown: Shown) => {
        assert.equal(bytes(shown.title), bytes(title))
        assert.equal(bytes(shown['description']), bytes(text))
        assert.equal(bytes((shown['amenities'] as string[])[0]), bytes(short))
        assert.equal(bytes(shown.location.city), bytes(short))
      }
      const key = randomUUID()
      const ask = () => t.ask('POST', '/properties', { body: sent, headers: { 'idempotency-key': key } })
      const created = accepted(await ask(), 201)
      same(created)
      same(accepted(await t.ask('GET', `/properties/${created.id}`)))
      same(accepted(await ask(), 201))
      const list = `/properties?status=draft&external_id=${externalId}`
      const search = async (name: string) => {
        const answer = await t.ask('GET', `${list}&${name}=${encodeURIComponent(short)}`)
        if (answer.status === 400) return refused(answer, 'invalid_parameter', name)
        const [found] = answer.body.data as unknown as Shown[]
        assert.ok(found !== undefined, `${name} does not find ${JSON.stringify(short)}`)
        return same(found)
      }
      // `q` must have something left to search for; the others accept any text.
      await search('q')
      assert.equal(await search('city'), undefined)
      assert.equal(await search('neighborhood'), undefined)
    })
  })

  it('in a query, a path or a header gets a response below 500', async () => {
    const headers = ['if-none-match', 'if-match', 'idempotency-key', 'x-api-key', 'user-agent', 'origin']
    await forAll(strings, async (text, index) => {
      const encoded = encodeURIComponent(text)
      for (const path of [
        `/properties?q=${encoded}`,
        `/properties?${encoded}=1`,
        `/properties?updated_since=${encoded}`,
        `/properties?type=${encoded}&fields=${encoded}`,
        `/properties/${encoded}`,
        `/properties/external/${encoded}`,
        `/x${encoded}`,
      ]) {
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

  it('in place of any other value gets 400 or is accepted, field by field', async () => {
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
        const answer = await t.ask('PATCH', `/properties/${id}`, { body: fields[name]?.(text) })
        assert.ok([200, 400, 409].includes(answer.status), `${name} ${text} ${answer.text}`)
      }
    })
  })

  it('that is blank is refused if the field requires text', async () => {
    for (const text of strings.filter(isBlank)) {
      refused(await t.ask('POST', '/properties', { body: { title: text } }), 'invalid_parameter', 'title')
    }
    assert.ok(strings.some((text) => length(text) === 0))
  })
})
