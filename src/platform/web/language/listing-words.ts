/** Words for listings: their states, types, prices and counts, on the public pages, in the dashboard and in mails. */
import { counted, filled, type Text, text } from './both-languages.ts'

/** Singular and plural. */
const types: Record<string, Text<readonly [string, string]>> = {
  Casa: text(['Casa', 'Casas'], ['House', 'Houses']),
  Departamento: text(['Departamento', 'Departamentos'], ['Apartment', 'Apartments']),
  PH: text(['PH', 'PH'], ['Semi-detached house (PH)', 'Semi-detached houses (PH)']),
  Lote: text(['Lote', 'Lotes'], ['Lot', 'Lots']),
  Local: text(['Local', 'Locales'], ['Retail space', 'Retail spaces']),
  Oficina: text(['Oficina', 'Oficinas'], ['Office', 'Offices']),
  Cochera: text(['Cochera', 'Cocheras'], ['Parking space', 'Parking spaces']),
  Galpón: text(['Galpón', 'Galpones'], ['Warehouse', 'Warehouses']),
  Finca: text(['Finca', 'Fincas'], ['Farm', 'Farms']),
  Quinta: text(['Quinta', 'Quintas'], ['Country house', 'Country houses']),
  Emprendimiento: text(['Emprendimiento', 'Emprendimientos'], ['Development', 'Developments']),
  'Fondo de Comercio': text(['Fondo de comercio', 'Fondos de comercio'], ['Business', 'Businesses']),
  Consultorio: text(['Consultorio', 'Consultorios'], ['Medical office', 'Medical offices']),
  Edificio: text(['Edificio', 'Edificios'], ['Building', 'Buildings']),
  Hotel: text(['Hotel', 'Hoteles'], ['Hotel', 'Hotels']),
}

/** After the amount. */
const periods: Record<string, Text<string>> = {
  month: text('por mes', 'per month'),
  week: text('por semana', 'per week'),
  night: text('por noche', 'per night'),
}

export const listingWords = {
  /** By the event that changed the listing's state. */
  stateChanges: {
    published: text('Publicada', 'Published'),
    disabled: text('Suspendida', 'Suspended'),
    reserved: text('Reservada', 'Reserved'),
    released: text('Reserva liberada', 'Reservation released'),
    deleted: text('Eliminada', 'Removed'),
    restored: text('Restaurada', 'Restored'),
  },
  /** Reasons of a suspension. */
  closeReasons: {
    sold: text('Vendida', 'Sold'),
    rented: text('Alquilada', 'Rented'),
    sold_by_us: text('Vendida por la inmobiliaria', 'Sold by the agency'),
    sold_by_other: text('Vendida por otra inmobiliaria', 'Sold by another agency'),
    contract_ended: text('Fin del contrato', 'Contract ended'),
    suspended: text('Suspensión temporal', 'Temporary suspension'),
    price_change: text('Cambio de precio', 'Price change'),
    other: text('Otro motivo', 'Other reason'),
  },
  types,
  periods,
  onRequest: text('Consultar precio', 'Price on request'),
  listingCount: counted(['# propiedad', '# propiedades'], ['# listing', '# listings']),
  publishedCount: counted(
    ['# propiedad publicada', '# propiedades publicadas'],
    ['# published listing', '# published listings'],
  ),
  photoOf: filled((position: number, total: number) => [
    `Foto ${position} de ${total}`,
    `Photo ${position} of ${total}`,
  ]),
  photoCount: counted(['# foto', '# fotos'], ['# photo', '# photos']),
}
