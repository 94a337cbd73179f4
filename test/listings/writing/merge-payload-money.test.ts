/** Merging price and expenses into a listing (api.md 9.4, 10.1). */
import { describe, test } from 'node:test'
import { type Content, noContent } from '../../../src/listings/fields/content.ts'
import { changes, refuses, rent, sale } from '../merging.ts'

describe('the price', () => {
  const none = { price_amount: null, price_currency: null }

  test('merges', () => {
    changes(sale, { price: { amount: 5 } }, { price_amount: 5 })
    changes(sale, { price: { currency: 'ARS' } }, { price_currency: 'ARS' })
    changes(sale, { price: {} }, {})
    changes(rent, { price: { period: 'night' } }, { price_period: 'night' })
    changes(noContent, { price: { amount: 5, currency: 'ARS' } }, { price_amount: 5, price_currency: 'ARS' })
  })

  test('is cleared by null for the whole or for its amount', () => {
    changes(sale, { price: null }, none)
    changes(sale, { price: { amount: null } }, none)
    changes(sale, { price: { amount: null, currency: null } }, none)
    changes({ ...sale, ...none, price_on_request: true }, { price: null }, { price_on_request: false })
  })

  test('on request clears amount and currency, and an amount clears on request', () => {
    const asked: Content = { ...sale, ...none, price_on_request: true }
    changes(sale, { price: { on_request: true } }, { ...none, price_on_request: true })
    changes(
      sale,
      { price: { on_request: true, amount: null, currency: null } },
      { ...none, price_on_request: true },
    )
    changes(
      asked,
      { price: { amount: 7, currency: 'USD' } },
      { price_amount: 7, price_currency: 'USD', price_on_request: false },
    )
    changes(asked, { price: { on_request: false } }, { price_on_request: false })
    changes(asked, { price: { on_request: null } }, { price_on_request: false })
    changes(asked, { price: {} }, {})
    changes(sale, { price: { on_request: false } }, {})
    changes(
      { ...rent, ...none, price_on_request: true },
      { price: { period: 'month' } },
      { price_period: 'month' },
    )
  })

  test('has both amount and currency or neither', () => {
    refuses(noContent, { price: { amount: 5 } }, 'price.currency')
    refuses(noContent, { price: { currency: 'USD' } }, 'price.amount')
    refuses(sale, { price: { currency: null } }, 'price.currency')
    refuses(sale, { price: { amount: null, currency: 'ARS' } }, 'price.amount')
    refuses({ ...sale, ...none, price_on_request: true }, { price: { amount: 5 } }, 'price.currency')
  })

  test('has a period on rentals only, which defaults to month for rent', () => {
    refuses(sale, { price: { period: 'month' } }, 'price.period')
    refuses(noContent, { price: { period: 'month' } }, 'price.period')
    refuses(
      rent,
      { operation: 'sale', price: { amount: 1, currency: 'USD', period: 'month' } },
      'price.period',
    )
    changes(sale, { price: { period: null } }, {})
    changes(noContent, { operation: 'rent' }, { operation: 'rent', price_period: 'month' })
    changes(noContent, { operation: 'temporary' }, { operation: 'temporary', price_period: null })
    changes(rent, { price: { period: null } }, { price_period: 'month' })
    changes(rent, { price: null }, { ...none, price_period: 'month' })
    changes({ ...rent, operation: 'temporary' }, { price: { period: null } }, { price_period: null })
  })

  test('is required with every change of operation', () => {
    refuses(sale, { operation: 'rent' }, 'price')
    refuses(sale, { operation: null }, 'price')
    refuses(rent, { operation: 'temporary' }, 'price')
    changes(sale, { operation: 'sale' }, {})
    changes(
      sale,
      { operation: 'rent', price: { amount: 9, currency: 'ARS' } },
      { operation: 'rent', price_amount: 9, price_currency: 'ARS', price_period: 'month' },
    )
    changes(
      sale,
      { operation: 'temporary', price: { amount: 9, period: 'night' } },
      { operation: 'temporary', price_amount: 9, price_period: 'night' },
    )
    changes(
      rent,
      { operation: 'sale', price: { amount: 9 } },
      { operation: 'sale', price_amount: 9, price_period: null, rental: null },
    )
    changes(noContent, { operation: 'sale' }, { operation: 'sale' })
  })
})

describe('expenses', () => {
  test('merge, and are cleared by null', () => {
    const spent: Content = { ...sale, expenses_amount: 10, expenses_currency: 'ARS' }
    const none = { expenses_amount: null, expenses_currency: null }
    changes(
      sale,
      { expenses: { amount: 0, currency: 'ARS' } },
      { expenses_amount: 0, expenses_currency: 'ARS' },
    )
    changes(spent, { expenses: { amount: 20 } }, { expenses_amount: 20 })
    changes(spent, { expenses: { currency: 'USD' } }, { expenses_currency: 'USD' })
    changes(spent, { expenses: null }, none)
    changes(spent, { expenses: { amount: null } }, none)
    refuses(sale, { expenses: { amount: 10 } }, 'expenses.currency')
    refuses(sale, { expenses: { currency: 'ARS' } }, 'expenses.amount')
    refuses(spent, { expenses: { currency: null } }, 'expenses.currency')
  })
})
