/** An agency with public pages for a browser to walk through. */
import sharp from 'sharp'
import { setAgencyDetails } from '../../../src/agencies/details.ts'
import { photoUrls, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, published } from '../../support/app/listings.ts'

/** The application, with the paths of the agency's page, of a listing with every field, and of one that is gone. */
export async function openSite(): Promise<{ t: TestApp; agency: string; listing: string; gone: string }> {
  const t = await testApp({ source: async (url) => drawing(url) })
  await t.deps.db
    .updateTable('agencies')
    .set({ name: 'Ribera Norte', email: 'a@b.example' })
    .where('id', '=', t.agency.id)
    .execute()
  const contact = {
    phone: '+54 11 5555-0142',
    whatsapp: '+54 9 11 5555-0142',
    website: 'https://ribera.example',
  }
  await setAgencyDetails(t.deps.db, t.agency.id, contact, t.clock)
  await published(t, { title: 'Casa con pileta y quincho en barrio cerrado de Tandil' })
  await published(t, {
    title: 'PH reciclado',
    type: 'PH',
    operation: 'rent',
    price: { amount: 780_000, currency: 'ARS' },
  })
  const suspended = await published(t, { title: 'Casa vendida' })
  accepted(await t.ask('POST', `/properties/${suspended.id}/disable`, { body: { reason: 'sold' } }))
  const full = await published(t, {
    title: 'Departamento de 3 ambientes con balcón aterrazado en Palermo Soho',
    type: 'Departamento',
    description:
      'Al frente, con sol de mañana.\n\nCocina integrada con barra.\nDos dormitorios con placares.',
    price: { amount: 248_000, currency: 'USD' },
    expenses: { amount: 285_000, currency: 'ARS' },
    features: {
      bedrooms: 2,
      bathrooms: 2,
      rooms: 3,
      total_m2: 86,
      covered_m2: 71,
      garages: 1,
      age_years: 6,
      pet_friendly: true,
    },
    amenities: ['Balcón aterrazado', 'Parrilla', 'Solárium'],
    video_url: 'https://videos.example/a',
    virtual_tour_url: 'https://tours.example/a',
    photos: photoUrls(5, 'large'),
  })
  const agency = `/inmobiliarias/${t.agency.slug}`
  return { t, agency, listing: `${agency}/${full.id}`, gone: `${agency}/${suspended.id}` }
}

/** A picture of one colour; if the URL says so, large enough to have all three sizes. */
async function drawing(url: string): Promise<Buffer> {
  const width = url.includes('large') ? 1800 : 300
  const [r = 0, g = 0, b = 0] = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(url)))
  return sharp({ create: { width, height: (width * 2) / 3, channels: 3, background: { r, g, b } } })
    .jpeg({ quality: 30 })
    .toBuffer()
}
