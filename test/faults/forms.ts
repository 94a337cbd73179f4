/** The dashboard's forms that write listings, keys, the profile or people, each prepared for an agency of its own. */
import { randomUUID } from 'node:crypto'
import { publishable, type TestApp } from '../support/app.ts'
import { accepted, type Shown } from '../support/listings.ts'
import { createPerson, password } from '../support/people.ts'
import type { Fields } from '../pages/dashboard/form-fields.ts'
import type { Subject } from './agency-state.ts'

type Prepared = {
  /** The page that has the form. */
  page: string
  /** The path that the form is sent to. */
  action: string
  /** The fields that the person changes. */
  fields: Fields
}

export type Form = {
  /** As in the table of pages. */
  path: string
  prepare(t: TestApp, subject: Subject): Promise<Prepared>
}

const photos = [1, 2, 3, 4].map((number) => `https://photos.example/every-form-${number}.jpg`)
const address = 'Calle Falsa 123'

/** A form about a listing. @param page below the listing's own */
const ofListing = (
  name: string,
  page: string,
  body: object,
  fieldsOf: (listing: Shown) => Fields = () => ({}),
): Form => ({
  path: `/dashboard/listings/:listing/${name}`,
  async prepare(t, { writeKey }) {
    const created = await t.ask('POST', '/properties', {
      key: writeKey,
      body: publishable({ address, photos, ...body }),
    })
    const listing = accepted(created, 201)
    const own = `/dashboard/listings/${listing.id}`
    return { page: `${own}${page}`, action: `${own}/${name}`, fields: fieldsOf(listing) }
  },
})

/** A form whose page always has it. */
const onPage = (path: string, page: string, fields: Fields): Form => ({
  path,
  prepare: async () => ({ page, action: path, fields }),
})

const ofKey = (name: string, fields: () => Fields): Form => ({
  path: `/dashboard/keys/:key/${name}`,
  async prepare(t, { agency }) {
    const { id } = await t.newKey(agency.id, { name: 'CRM', scopes: ['properties:read'] })
    return { page: `/dashboard/keys/${id}`, action: `/dashboard/keys/${id}/${name}`, fields: fields() }
  },
})

const ofPerson = (name: string, fields: Fields): Form => ({
  path: `/dashboard/people/:person/${name}`,
  async prepare(t, { agency }) {
    const person = {
      email: `person@${agency.slug}.example`,
      name: 'Eva',
      role: 'member',
      agencyId: agency.id,
    } as const
    const { id } = await createPerson(t.deps.db, person, t.clock)
    return { page: '/dashboard/people', action: `/dashboard/people/${id}/${name}`, fields }
  },
})

/** The name of a listing's picture, from its URL. */
const nameOf = (url = ''): string => url.split('/').at(-2) ?? ''
const tomorrow = (): string => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)

export const forms: readonly Form[] = [
  onPage('/dashboard/listings/new', '/dashboard/listings/new', {
    title: 'Casa',
    address,
    'location.city': 'La Plata',
  }),
  ofListing('edit', '/edit', {}, () => ({ title: 'Otra' })),
  ofListing('price', '/price', {}, () => ({ 'price.amount': '90000' })),
  ofListing('publish', '', { status: 'draft' }),
  ofListing('reserve', '', {}),
  ofListing('delete', '', {}),
  ofListing('place', '', {}, () => ({ place_shown: 'approximate' })),
  ofListing('suspend', '', {}, () => ({ reason: 'suspended', close_price: '', closed_at: '' })),
  ofListing('photos/order', '/photos', {}, (listing) => ({
    photo: nameOf(listing.photos[0]),
    move: 'later',
  })),
  ofListing('photos/remove', '/photos', {}, (listing) => ({ photo: nameOf(listing.photos[0]) })),
  ofListing('photos/urls', '/photos', {}, () => ({ urls: 'https://photos.example/every-form-5.jpg' })),
  {
    path: '/dashboard/keys/new',
    prepare: async () => ({
      page: '/dashboard/keys/new',
      action: '/dashboard/keys/new',
      fields: { new_id: randomUUID(), kind: 'live', name: 'CRM', scopes: ['properties:write'] },
    }),
  },
  ofKey('rotate', () => ({ new_id: randomUUID() })),
  ofKey('end', () => ({ revokes_at: tomorrow() })),
  ofKey('revoke', () => ({})),
  {
    path: '/dashboard/people/invite',
    prepare: async (_t, { agency }) => ({
      page: '/dashboard/people',
      action: '/dashboard/people/invite',
      fields: { email: `new@${agency.slug}.example`, name: 'Nueva', role: 'member' },
    }),
  },
  ofPerson('change', { role: 'owner' }),
  ofPerson('link', {}),
  onPage('/dashboard/settings', '/dashboard/settings', { phone: '+54 11 5555-0142', about: 'Desde 1998.' }),
  onPage('/dashboard/settings/hours', '/dashboard/settings/hours', {
    'd5-1-opens': '10:00',
    'd5-1-closes': '13:00',
  }),
  onPage('/dashboard/settings/look/colour', '/dashboard/settings/look', { own: 'yes', accent: '#aa3300' }),
  {
    path: '/dashboard/settings/address',
    prepare: async (_t, { agency }) => ({
      page: '/dashboard/settings/address',
      action: '/dashboard/settings/address',
      fields: { slug: `${agency.slug}-b` },
    }),
  },
  onPage('/dashboard/account/profile', '/dashboard/account', { name: 'Eva Luna', language: 'en' }),
  onPage('/dashboard/account/password', '/dashboard/account', {
    current: password,
    password: 'otra clave bien larga',
  }),
]

/** Why other forms are not in the table, by the beginning of their paths. */
export const leftOut: Readonly<Record<string, string>> = {
  '/dashboard/test/': 'the same handlers, for the twin',
  '/dashboard/operator/agencies/': 'mostly the same handlers, for operators',
  '/dashboard/operator/': 'operators: no listing, key or profile of an agency is written',
  '/dashboard/sign-in': 'sessions only',
  '/dashboard/sign-out': 'sessions only',
  '/dashboard/forgot': 'a link only',
  '/dashboard/second-factor': 'sessions only',
  '/dashboard/language': 'a cookie only',
  '/dashboard/password': 'needs a link from a mail',
  '/dashboard/confirm-email': 'needs a link from a mail',
  '/dashboard/find-place': 'writes nothing',
  '/dashboard/listings/:listing/release': 'the counterpart of reserve',
  '/dashboard/listings/:listing/warnings/': 'needs a photo or location that failed before',
  '/dashboard/listings/:listing/photos': 'a file, stored like a photo by URL',
  '/dashboard/settings/email/': 'needs an address that is not confirmed yet',
  '/dashboard/settings/look/logo': 'a file, stored like a photo by URL',
  '/dashboard/settings/mails': 'preferences, in one transaction',
  '/dashboard/account/mails': 'preferences, in one transaction',
  '/dashboard/account/sessions/': 'sessions only',
  '/dashboard/account/second-factor': 'needs codes of an authenticator',
}
