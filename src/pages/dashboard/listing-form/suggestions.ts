/**
 * The most frequent entries of lists, offered to be added with a click. These texts go into the listing, which is in Spanish.
 */
const amenities = [
  'Pileta',
  'Parrilla',
  'Quincho',
  'Balcón',
  'Terraza',
  'Patio',
  'Jardín',
  'Cochera cubierta',
  'Baulera',
  'SUM',
  'Gimnasio',
  'Lavadero',
  'Ascensor',
  'Seguridad 24 h',
  'Aire acondicionado',
  'Calefacción central',
  'Losa radiante',
  'Apto profesional',
]

const services = ['Agua', 'Luz', 'Gas', 'Internet', 'Cable', 'Expensas', 'Limpieza']

/** Path of a list → its suggestions. */
export const suggestions: Readonly<Record<string, readonly string[]>> = {
  amenities,
  'rental.services_included': services,
}
