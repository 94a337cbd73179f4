/** The groups of fields, such as the price, as the API shows them. */
import type { Content, Rental } from './content.ts'
import { type FeatureName, featureNames, type FeatureValue } from './features.ts'
import { emptyOf, type Field } from './field.ts'
import type { GroupName } from './field-lists.ts'
import { fields } from './fields.ts'
import { isRental } from './vocabulary.ts'

export const noRental = Object.fromEntries(
  Object.entries<Field>(fields.rental.parts).map(([name, field]) => [name, emptyOf(field)]),
) as Rental

export const groupReaders = {
  price: (content: Content) => ({
    amount: content.price_amount,
    currency: content.price_currency,
    ...(isRental(content.operation) ? { period: content.price_period } : {}),
    on_request: content.price_on_request,
  }),
  expenses: ({ expenses_amount: amount, expenses_currency: currency }: Content) =>
    amount === null ? null : { amount, currency },
  location: ({ city, province, lat, lng }: Content) => ({ city, province, neighborhood: null, lat, lng }),
  features: ({ features }: Content) =>
    Object.fromEntries(featureNames.map((name) => [name, features[name] ?? null])) as Partial<
      Record<FeatureName, FeatureValue | null>
    >,
  rental: (content: Content) =>
    isRental(content.operation) ? { period: content.price_period, ...noRental, ...content.rental } : null,
} satisfies Record<GroupName, (content: Content) => unknown>
