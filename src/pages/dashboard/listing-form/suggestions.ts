/**
 * What agencies write most often, offered to be added with a click. These texts go into the listing, which is in Spanish.
 */

export const amenities = [
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
] as const

export const services = ['Agua', 'Luz', 'Gas', 'Internet', 'Cable', 'Expensas', 'Limpieza'] as const
