/**
 * The demonstration data: two invented agencies and their listings, of every type, operation and state (spec 'Property').
 */
import type { AgencyContact } from '../agencies/contact.ts'
import { cumbresBusiness } from './listings-cumbres-business.ts'
import { cumbresFlats } from './listings-cumbres-flats.ts'
import { cumbresHouses } from './listings-cumbres-houses.ts'
import { cumbresLand } from './listings-cumbres-land.ts'
import { riberaBuildings } from './listings-ribera-buildings.ts'
import { riberaBusiness } from './listings-ribera-business.ts'
import { riberaFlats } from './listings-ribera-flats.ts'
import { riberaHouses } from './listings-ribera-houses.ts'
import { riberaPassages } from './listings-ribera-passages.ts'
import { riberaRentals } from './listings-ribera-rentals.ts'
import type { DemoListing } from './listings-shape.ts'

export type { DemoListing }

export type DemoAgency = {
  name: string
  slug: string
  email: string
  contact: AgencyContact
  listings: readonly DemoListing[]
}

export const demoAgencies: readonly DemoAgency[] = [
  {
    name: 'Ribera Norte Propiedades',
    slug: 'ribera-norte',
    email: 'contacto@riberanorte.example',
    contact: {
      phone: '+54 11 5555-0142',
      whatsapp: '+54 9 11 5555-0142',
      website: 'https://www.riberanorte.example',
    },
    listings: [
      ...riberaFlats,
      ...riberaRentals,
      ...riberaHouses,
      ...riberaPassages,
      ...riberaBusiness,
      ...riberaBuildings,
    ],
  },
  {
    name: 'Cumbres del Sur Inmobiliaria',
    slug: 'cumbres-del-sur',
    email: 'hola@cumbresdelsur.example',
    contact: { phone: '+54 294 555-0187', whatsapp: '+54 9 294 555-0187', website: null },
    listings: [...cumbresFlats, ...cumbresHouses, ...cumbresLand, ...cumbresBusiness],
  },
]
