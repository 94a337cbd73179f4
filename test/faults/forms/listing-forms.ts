/** Forms about listings: their fields, state, photos and warnings. */
import { picture } from '../../support/app/app.ts'
import type { Shown } from '../../support/app/listings.ts'
import type { Fields } from '../../pages/dashboard/form-fields.ts'
import { address, createListing, type Form, onPage, photoUrl, type Setting } from './form.ts'

const pathOf = ({ id }: Shown): string => `/dashboard/listings/${id}`

const draft = { status: 'draft', photos: [] }

/** A form about a listing. @param page below the listing's own */
const ofListing = (
  name: string,
  page: string,
  body: object,
  fieldsOf: (listing: Shown) => Fields = () => ({}),
): Form => ({
  name: `/dashboard/listings/:listing/${name}`,
  path: `/dashboard/listings/:listing/${name}`,
  async prepare(setting) {
    const listing = await createListing(setting, body)
    const own = pathOf(listing)
    return { page: `${own}${page}`, action: `${own}/${name}`, fields: fieldsOf(listing) }
  },
})

/** A remedy for a warning on the listing's page. @param create makes the listing while photos are missing and places unknown */
const ofWarning = (
  name: string,
  create: (setting: Setting) => Promise<Shown>,
  fields: Fields | ((page: string) => Fields) = {},
): Form => ({
  name: `/dashboard/listings/:listing/warnings/${name}`,
  path: `/dashboard/listings/:listing/warnings/${name}`,
  async prepare(setting) {
    const { world } = setting.app
    world.isComplete = false
    try {
      const own = pathOf(await create(setting))
      return { page: own, action: `${own}/warnings/${name}`, fields }
    } finally {
      world.isComplete = true
    }
  },
})

const withMissingPhoto = (setting: Setting) =>
  createListing(setting, { status: 'draft', photos: [photoUrl(1), photoUrl('late')] })

/** A `PUT` of all photos, one of which fails, keeps those that it does not name. */
async function withKeptPhoto(setting: Setting): Promise<Shown> {
  const { t, subject } = setting
  const listing = await createListing(setting)
  const [first = '', second = '', , last = ''] = listing.photos
  const urls = [last, first, second, photoUrl('late')]
  await t.ask('PUT', `/properties/${listing.id}/photos`, { key: subject.writeKey, body: { urls } })
  return listing
}

/** The name of a listing's picture, from its URL. */
const nameOf = (url = ''): string => url.split('/').at(-2) ?? ''

export async function pictureFile(): Promise<File> {
  return new File([new Uint8Array(await picture('a file'))], 'a.jpg', { type: 'image/jpeg' })
}

export const listingForms: readonly Form[] = [
  onPage('/dashboard/listings/new', '/dashboard/listings/new', {
    title: 'Casa',
    address,
    'location.city': 'La Plata',
  }),
  ofListing('edit', '/edit', draft, () => ({ title: 'Otra' })),
  ofListing('price', '/price', draft, () => ({ 'price.amount': '90000' })),
  ofListing('publish', '', { status: 'draft' }),
  ofListing('reserve', '', {}),
  {
    name: '/dashboard/listings/:listing/release',
    path: '/dashboard/listings/:listing/release',
    async prepare(setting) {
      const own = pathOf(await createListing(setting))
      await setting.who.get(own)
      await setting.who.submit(`${own}/reserve`)
      return { page: own, action: `${own}/release`, fields: {} }
    },
  },
  ofListing('delete', '', draft),
  ofListing('place', '', draft, () => ({ place_shown: 'approximate' })),
  ofListing('suspend', '', {}, () => ({ reason: 'suspended', close_price: '', closed_at: '' })),
  ofListing('photos/order', '/photos', {}, (listing) => ({
    photo: nameOf(listing.photos[0]),
    move: 'later',
  })),
  ofListing('photos/remove', '/photos', {}, (listing) => ({ photo: nameOf(listing.photos[0]) })),
  ofListing('photos/urls', '/photos', {}, () => ({ urls: photoUrl(5) })),
  {
    name: '/dashboard/listings/:listing/photos',
    path: '/dashboard/listings/:listing/photos',
    async prepare(setting) {
      const own = `${pathOf(await createListing(setting))}/photos`
      return { page: own, action: own, fields: {}, file: ['photo', await pictureFile()] }
    },
  },
  ofWarning('retry', withMissingPhoto, { name: 'all' }),
  ofWarning('dismiss', withMissingPhoto),
  ofWarning('kept', withKeptPhoto),
  ofWarning('place', (setting) =>
    createListing(setting, {
      location: { city: 'La Plata', province: 'Buenos Aires' },
      photos: [],
      status: 'draft',
    }),
  ),
  // Latitude and longitude are swapped: the warning offers to move the pin.
  ofWarning('pin', (setting) =>
    createListing(setting, {
      location: { city: 'La Plata', province: 'Buenos Aires', lat: -57.95, lng: -34.92 },
    }),
  ),
]
