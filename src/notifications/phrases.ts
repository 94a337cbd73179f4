/**
 * What mails to agencies say, in the languages an agency can choose.
 */
import type { EventType } from './outbox.ts'

export type Language = 'es-AR' | 'en'

export type Phrases = {
  /** What became of a listing. */
  event: Record<EventType, string>
  reason: Record<string, string>
  untitled: string
  subject: (count: number) => string
  greeting: (agency: string) => string
  opening: (count: number, service: string) => string
  closedFor: (price: string) => string
  closedOn: (date: string) => string
  by: (actor: string) => string
  open: string
  closing: (service: string) => string
}

export const phrases: Readonly<Record<Language, Phrases>> = {
  'es-AR': {
    event: {
      published: 'Publicada',
      disabled: 'Suspendida',
      reserved: 'Reservada',
      released: 'Reserva liberada',
      deleted: 'Eliminada',
      restored: 'Recuperada',
    },
    reason: {
      sold: 'vendida',
      rented: 'alquilada',
      sold_by_us: 'vendida por la inmobiliaria',
      sold_by_other: 'vendida por terceros',
      contract_ended: 'fin del contrato',
      suspended: 'suspendida',
      price_change: 'cambio de precio',
      other: 'otro motivo',
    },
    untitled: 'Propiedad sin título',
    subject: (count) => `${count} cambios en tus propiedades`,
    greeting: (agency) => `Hola, ${agency}:`,
    opening: (count, service) =>
      count === 1
        ? `Hubo un cambio en una de tus propiedades en ${service}.`
        : `Hubo ${count} cambios en tus propiedades en ${service}.`,
    closedFor: (price) => `Precio de cierre: ${price}`,
    closedOn: (date) => `Fecha de cierre: ${date}`,
    by: (actor) => `por ${actor}`,
    open: 'Ver la propiedad',
    closing: (service) =>
      `Este correo se envía automáticamente con cada cambio de estado. Si no querés recibirlo, pedile a quien administra ${service} que desactive los avisos de tu inmobiliaria.`,
  },
  en: {
    event: {
      published: 'Published',
      disabled: 'Suspended',
      reserved: 'Reserved',
      released: 'No longer reserved',
      deleted: 'Removed',
      restored: 'Restored',
    },
    reason: {
      sold: 'sold',
      rented: 'rented',
      sold_by_us: 'sold by the agency',
      sold_by_other: 'sold by others',
      contract_ended: 'contract ended',
      suspended: 'suspended',
      price_change: 'change of price',
      other: 'other reason',
    },
    untitled: 'Untitled listing',
    subject: (count) => `${count} changes to your listings`,
    greeting: (agency) => `Hello, ${agency}:`,
    opening: (count, service) =>
      count === 1
        ? `One of your listings on ${service} has changed.`
        : `There were ${count} changes to your listings on ${service}.`,
    closedFor: (price) => `Closed at: ${price}`,
    closedOn: (date) => `Closed on: ${date}`,
    by: (actor) => `by ${actor}`,
    open: 'Open the listing',
    closing: (service) =>
      `This message is sent automatically with each change of state. If you do not want it, ask whoever runs ${service} to turn off the notices of your agency.`,
  },
}
