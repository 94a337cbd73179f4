/** Words for a listing's states, types and prices on the public pages, in the dashboard and in mails. */
import type { PageLanguage } from './language.ts'

const spanish = {
  /** By the event that changed the listing's state. */
  stateChanges: {
    published: 'Publicada',
    disabled: 'Suspendida',
    reserved: 'Reservada',
    released: 'Reserva liberada',
    deleted: 'Eliminada',
    restored: 'Restaurada',
  },
  /** Reasons of a suspension. */
  closeReasons: {
    sold: 'Vendida',
    rented: 'Alquilada',
    sold_by_us: 'Vendida por la inmobiliaria',
    sold_by_other: 'Vendida por otra inmobiliaria',
    contract_ended: 'Fin del contrato',
    suspended: 'Suspensión temporal',
    price_change: 'Cambio de precio',
    other: 'Otro motivo',
  },
  /** Singular and plural. */
  types: {
    Casa: ['Casa', 'Casas'],
    Departamento: ['Departamento', 'Departamentos'],
    PH: ['PH', 'PH'],
    Lote: ['Lote', 'Lotes'],
    Local: ['Local', 'Locales'],
    Oficina: ['Oficina', 'Oficinas'],
    Cochera: ['Cochera', 'Cocheras'],
    Galpón: ['Galpón', 'Galpones'],
    Finca: ['Finca', 'Fincas'],
    Quinta: ['Quinta', 'Quintas'],
    Emprendimiento: ['Emprendimiento', 'Emprendimientos'],
    'Fondo de Comercio': ['Fondo de comercio', 'Fondos de comercio'],
    Consultorio: ['Consultorio', 'Consultorios'],
    Edificio: ['Edificio', 'Edificios'],
    Hotel: ['Hotel', 'Hoteles'],
  } as Record<string, readonly [string, string]>,
  /** After the amount. */
  periods: { month: 'por mes', week: 'por semana', night: 'por noche' } as Record<string, string>,
  onRequest: 'Consultar precio',
}

const english: typeof spanish = {
  stateChanges: {
    published: 'Published',
    disabled: 'Suspended',
    reserved: 'Reserved',
    released: 'Reservation released',
    deleted: 'Removed',
    restored: 'Restored',
  },
  closeReasons: {
    sold: 'Sold',
    rented: 'Rented',
    sold_by_us: 'Sold by the agency',
    sold_by_other: 'Sold by another agency',
    contract_ended: 'Contract ended',
    suspended: 'Temporary suspension',
    price_change: 'Price change',
    other: 'Other reason',
  },
  types: {
    Casa: ['House', 'Houses'],
    Departamento: ['Apartment', 'Apartments'],
    PH: ['Semi-detached house (PH)', 'Semi-detached houses (PH)'],
    Lote: ['Lot', 'Lots'],
    Local: ['Retail space', 'Retail spaces'],
    Oficina: ['Office', 'Offices'],
    Cochera: ['Parking space', 'Parking spaces'],
    Galpón: ['Warehouse', 'Warehouses'],
    Finca: ['Farm', 'Farms'],
    Quinta: ['Country house', 'Country houses'],
    Emprendimiento: ['Development', 'Developments'],
    'Fondo de Comercio': ['Business', 'Businesses'],
    Consultorio: ['Medical office', 'Medical offices'],
    Edificio: ['Building', 'Buildings'],
    Hotel: ['Hotel', 'Hotels'],
  },
  periods: { month: 'per month', week: 'per week', night: 'per night' },
  onRequest: 'Price on request',
}

export const listingWords: Readonly<Record<PageLanguage, typeof spanish>> = { es: spanish, en: english }
