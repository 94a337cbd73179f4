/** Whether coordinates can be in Argentina: a plausibility check of what agencies send. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isInsideCountry } from '../../src/geocoding/country.ts'

const inside: Record<string, readonly [lat: number, lng: number]> = {
  'Buenos Aires': [-34.6037, -58.3816],
  'La Plata': [-34.9215, -57.9545],
  Catamarca: [-28.4696, -65.7795],
  Resistencia: [-27.4514, -58.9867],
  Rawson: [-43.3002, -65.1023],
  Córdoba: [-31.4201, -64.1888],
  Corrientes: [-27.4692, -58.8306],
  Paraná: [-31.7333, -60.5297],
  Formosa: [-26.1775, -58.1781],
  'San Salvador de Jujuy': [-24.1858, -65.2995],
  'Santa Rosa': [-36.6167, -64.2833],
  'La Rioja': [-29.4131, -66.8558],
  Mendoza: [-32.8895, -68.8458],
  Posadas: [-27.3671, -55.8961],
  Neuquén: [-38.9516, -68.0591],
  Viedma: [-40.8135, -62.9967],
  Salta: [-24.7821, -65.4232],
  'San Juan': [-31.5375, -68.5364],
  'San Luis': [-33.295, -66.3356],
  'Río Gallegos': [-51.6226, -69.2181],
  'Santa Fe': [-31.6333, -60.7],
  'Santiago del Estero': [-27.7834, -64.2642],
  Ushuaia: [-54.8019, -68.303],
  Tucumán: [-26.8083, -65.2176],
  // The edges.
  'La Quiaca': [-22.1054, -65.5969],
  'Puerto Iguazú': [-25.5991, -54.5736],
  'Bernardo de Irigoyen': [-26.2522, -53.6497],
  Bariloche: [-41.1335, -71.3103],
  'El Chaltén': [-49.3315, -72.886],
  'Villa La Angostura': [-40.7617, -71.6463],
  Clorinda: [-25.2848, -57.7185],
  'Mar del Plata': [-38.0055, -57.5426],
  Gualeguaychú: [-33.0094, -58.5172],
  Concordia: [-31.3929, -58.0209],
  'Río Grande': [-53.7878, -67.7095],
  Uspallata: [-32.5936, -69.3446],
}

const outside: Record<string, readonly [lat: number, lng: number]> = {
  nowhere: [0, 0],
  'Buenos Aires, swapped': [-58.3816, -34.6037],
  'Buenos Aires without its signs': [34.6037, 58.3816],
  'Ushuaia, swapped': [-68.303, -54.8019],
  Montevideo: [-34.9011, -56.1645],
  'Punta del Este': [-34.9667, -54.95],
  Santiago: [-33.4489, -70.6693],
  Valparaíso: [-33.0472, -71.6127],
  'Puerto Montt': [-41.4693, -72.9424],
  'Punta Arenas': [-53.1638, -70.9171],
  Antofagasta: [-23.6509, -70.3975],
  'La Paz': [-16.4897, -68.1193],
  'Santa Cruz de la Sierra': [-17.8146, -63.1561],
  'Porto Alegre': [-30.0346, -51.2177],
  'São Paulo': [-23.5505, -46.6333],
  'Ciudad del Este, well inside Paraguay': [-25.5, -56.0],
  Madrid: [40.4168, -3.7038],
  'the pole': [-90, 0],
  'the corners': [90, 180],
}

describe('isInsideCountry', () => {
  for (const [name, [lat, lng]] of Object.entries(inside))
    it(`${name} is`, () => assert.equal(isInsideCountry(lat, lng), true))
  for (const [name, [lat, lng]] of Object.entries(outside))
    it(`${name} is not`, () => assert.equal(isInsideCountry(lat, lng), false))
})
