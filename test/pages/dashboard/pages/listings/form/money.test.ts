/** Money and measures typed into a listing's form: the form continues with the stored values, and so do later saves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp, type TestApp } from '../../../../../support/app/app.ts'
import { accepted, draft, historyOf, published } from '../../../../../support/app/listings.ts'
import { fieldsOf } from '../../../form-fields.ts'
import { signedIn, type Visitor } from '../../../visitor.ts'

let t: TestApp
let member: Visitor
before(async () => {
  t = await testApp()
  member = await signedIn(t, 'member', t.agency.id, 'es')
})
after(() => t.close())

type Fields = Record<string, string>
type Saved = { version: number; reworded: Fields; taken: Fields; problems: Fields; isWhole: boolean }

const createPath = '/dashboard/listings/new'
const codeIn = (path: string | null) => /listings\/([2-9A-Z]{8})/.exec(path ?? '')?.[1] ?? ''
const shown = async (id: string) => accepted(await t.ask('GET', `/properties/${id}`))
const opened = async (path: string) => fieldsOf((await member.get(path)).text, path) as Fields

/** Saves as the form's script does. @returns the updated form, and the response */
async function saved(path: string, fields: Fields): Promise<{ form: Fields; response: Saved }> {
  const { status, text } = await member.post(path, fields, { accept: 'application/json' })
  assert.equal(status, 200, text)
  const response = JSON.parse(text) as Saved
  return {
    form: { ...fields, ...response.reworded, ...response.taken, version: String(response.version) },
    response,
  }
}

test('the form shows the stored price whatever was typed, and saving another field keeps it', async () => {
  const prices = [
    ['450000 pesos', 450_000, 'ARS'],
    ['$ 450.000', 450_000, 'ARS'],
    ['$1,200.50', 1_200.5, 'ARS'],
    ['AR$ 85.000.-', 85_000, 'ARS'],
    ['U$S 1.200', 1_200, 'USD'],
    ['us$1200', 1_200, 'USD'],
    ['1200 dólares', 1_200, 'USD'],
    ['1,200 dollars', 1_200, 'USD'],
    ['90 000', 90_000, null],
  ] as const
  const areas = [
    ['85,5 mts2', 85.5],
    ['1.250 metros cuadrados', 1_250],
  ] as const
  const { id } = await draft(t, { operation: 'rent' })
  const path = `/dashboard/listings/${id}/edit`
  let form = await opened(path)
  for (const [index, chosen] of (['USD', 'ARS'] as const).entries())
    for (const [text, amount, named] of prices) {
      const [areaText, area] = areas[index] ?? areas[0]
      const typed = { 'price.amount': text, 'expenses.amount': text, 'features.covered_m2': areaText }
      form = { ...form, ...typed, 'price.currency': chosen, 'expenses.currency': chosen }
      const others: readonly Fields[] = [
        {},
        { title: `Casa: ${text}` },
        { 'features.rooms': String(text.length) },
      ]
      for (const other of others) {
        const { response, form: next } = await saved(path, { ...form, ...other })
        assert.deepEqual([response.isWhole, response.problems], [true, {}])
        const { price, features, expenses } = await shown(id)
        const expected = { amount, currency: named ?? chosen }
        assert.deepEqual({ amount: price.amount, currency: price.currency }, expected, `${text}, ${chosen}`)
        assert.deepEqual([expenses, features['covered_m2']], [expected, area])
        // An unticked box is not sent.
        const { 'price.on_request': _ticked, ...going } = next
        assert.deepEqual(going, await opened(path), `${text}, ${chosen}`)
        form = next
      }
    }
})

test('a typed price with the same value as the stored one is reformatted too', async () => {
  const { id } = await draft(t, { operation: 'rent', price: { amount: 450_000, currency: 'ARS' } })
  const path = `/dashboard/listings/${id}/edit`
  const before = (await historyOf(t, id)).length
  const { form } = await saved(path, {
    ...(await opened(path)),
    'price.amount': '450000 pesos',
    'price.currency': 'USD',
    title: '  Borrador ',
  })
  assert.deepEqual(
    [form['price.amount'], form['price.currency'], form['title']],
    ['450.000', 'ARS', 'Borrador'],
  )
  assert.equal((await historyOf(t, id)).length, before)
})

test('by default a rent is in pesos and a sale in dollars, and without an operation the currency is required', async () => {
  for (const [operation, currency] of [
    ['rent', 'ARS'],
    ['temporary', 'USD'],
    ['sale', 'USD'],
  ] as const) {
    const fresh = await opened(createPath)
    assert.equal(fresh['price.currency'], '')
    const { to } = await member.post(createPath, { ...fresh, operation, 'price.amount': '450000' })
    assert.equal((await shown(codeIn(to))).price.currency, currency)
    const { id } = await draft(t, { operation })
    assert.equal((await opened(`/dashboard/listings/${id}/edit`))['price.currency'], currency)
    assert.equal((await opened(`/dashboard/listings/${id}/price`))['price.currency'], currency)
  }
  const page = await member.post(createPath, { ...(await opened(createPath)), 'price.amount': '450000' })
  assert.equal(page.status, 400)
  assert.match(page.text, /id="f-price.currency-error"[^>]*>Elegí la moneda/)
})

test('a new operation keeps the currency of a stored price', async () => {
  const { id } = await draft(t, { operation: 'sale', price: { amount: 90_000, currency: 'USD' } })
  const path = `/dashboard/listings/${id}/edit`
  const page = await member.get(path)
  assert.doesNotMatch(page.text, /data-usual/)
  await saved(path, { ...(await opened(path)), operation: 'rent' })
  const { price } = await shown(id)
  assert.deepEqual([price.amount, price.currency], [90_000, 'USD'])
})

test('clearing a price keeps the chosen currency in the form', async () => {
  const { id } = await draft(t, { operation: 'sale', price: { amount: 90_000, currency: 'ARS' } })
  const path = `/dashboard/listings/${id}/edit`
  const { form } = await saved(path, { ...(await opened(path)), 'price.amount': '' })
  assert.equal((await shown(id)).price.amount, null)
  assert.equal(form['price.currency'], 'ARS')
})

test('a closing price is parsed like a price', async () => {
  for (const [text, currency] of [
    ['$ 390.000', 'ARS'],
    ['U$S 390.000', 'USD'],
    ['390.000', 'USD'],
  ] as const) {
    const { id } = await published(t)
    await member.submit(`/dashboard/listings/${id}/suspend`, {
      reason: 'sold',
      close_price: text,
      close_currency: 'USD',
    })
    assert.deepEqual((await historyOf(t, id)).at(-1)?.changes['close_price']?.to, {
      amount: 390_000,
      currency,
    })
  }
})
