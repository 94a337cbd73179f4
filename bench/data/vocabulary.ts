/** The vocabulary of the benchmark's listings. */
import type { PropertyType } from '../../src/listings/fields/vocabulary.ts'

export const titles = [
  'Casa con jardín y quincho en',
  'Departamento de dos ambientes en',
  'Departamento de tres ambientes al frente en',
  'PH reciclado sin expensas en',
  'Lote en barrio cerrado en',
  'Excelente oportunidad de inversión en',
  'Local sobre avenida en',
  'Oficina con cochera en',
  'Galpón con entrada de camiones en',
  'Casa quinta con pileta en',
  'Monoambiente a estrenar en',
  'Dúplex con parrilla propia en',
  'Cochera fija y cubierta en',
  'Semipiso luminoso con dependencia en',
] as const

export const streets = [
  'Avenida Corrientes',
  'Avenida San Martín',
  'Belgrano',
  'Mitre',
  'Sarmiento',
  'Rivadavia',
  'Avenida Pellegrini',
  'Nueve de Julio',
  'Hipólito Yrigoyen',
  'General Güemes',
  'Ituzaingó',
  'Tucumán',
  'Moreno',
  'Avenida del Libertador',
  'Almirante Brown',
  'Dorrego',
  'Chacabuco',
  'Necochea',
] as const

export const places = [
  { text: 'La Plata', province: 'Buenos Aires', lat: -34.92, lng: -57.95 },
  { text: 'Mar del Plata', province: 'Buenos Aires', lat: -38, lng: -57.55 },
  { text: 'Buenos Aires', province: 'Ciudad Autónoma de Buenos Aires', lat: -34.61, lng: -58.4 },
  { text: 'Rosario', province: 'Santa Fe', lat: -32.95, lng: -60.65 },
  { text: 'Córdoba', province: 'Córdoba', lat: -31.42, lng: -64.19 },
  { text: 'Mendoza', province: 'Mendoza', lat: -32.89, lng: -68.84 },
  { text: 'Bahía Blanca', province: 'Buenos Aires', lat: -38.72, lng: -62.27 },
  { text: 'San Miguel de Tucumán', province: 'Tucumán', lat: -26.82, lng: -65.22 },
  { text: 'Neuquén', province: 'Neuquén', lat: -38.95, lng: -68.06 },
  { text: 'Paraná', province: 'Entre Ríos', lat: -31.73, lng: -60.53 },
  { text: 'Tandil', province: 'Buenos Aires', lat: -37.32, lng: -59.13 },
] as const

export const sentences = [
  'Excelente ubicación, a metros de todos los medios de transporte.',
  'Living comedor amplio y luminoso con salida a balcón corrido.',
  'Cocina independiente con lavadero y muebles nuevos.',
  'Dormitorio principal en suite con vestidor.',
  'Jardín con pileta, quincho y parrilla; riego automático.',
  'Pisos de parquet y calefacción por losa radiante.',
  'Edificio con seguridad las 24 horas, gimnasio y salón de usos múltiples.',
  'Apto crédito bancario. Escritura inmediata.',
  'A pocas cuadras de colegios, comercios y del parque.',
  'Las medidas y superficies son aproximadas y están sujetas a verificación.',
  'Expensas bajas y servicios individuales.',
  'Cochera cubierta y baulera incluidas en el precio.',
  'Ideal para familia: tres dormitorios, dos baños y toilette.',
  'Se aceptan mascotas; consultar condiciones con la inmobiliaria.',
] as const

export const amenities = [
  'Pileta',
  'Parrilla',
  'Ascensor',
  'Balcón',
  'Terraza',
  'Lavadero',
  'Seguridad',
  'Gimnasio',
  'Baulera',
  'Aire acondicionado',
  'Calefacción central',
] as const

/** Repeats values according to their frequency. */
export const weightedTypes = [
  'Departamento',
  'Casa',
  'Departamento',
  'PH',
  'Casa',
  'Lote',
  'Departamento',
  'Local',
  'Casa',
  'Oficina',
  'Departamento',
  'Cochera',
  'Galpón',
] as const satisfies readonly PropertyType[]
