/**
 * City data (api.md 12.4): the neighbourhoods of the Ciudad Autónoma, which is one city when addresses are
 * compared; cities whose neighbourhoods people write; alternative names.
 */
import { foldTight } from '../fold.ts'

/** Official and usual neighbourhoods of the Ciudad Autónoma de Buenos Aires. */
const cabaNeighbourhoods = foldedNames(`
  Agronomía, Almagro, Balvanera, Barracas, Belgrano, Boedo, Caballito, Chacarita, Coghlan, Colegiales,
  Constitución, Flores, Floresta, La Boca, Boca, La Paternal, Paternal, Liniers, Mataderos, Monte Castro,
  Monserrat, Montserrat, Nueva Pompeya, Pompeya, Núñez, Palermo, Parque Avellaneda, Parque Chacabuco,
  Parque Chas, Parque Patricios, Puerto Madero, Recoleta, Retiro, San Telmo, Vélez Sársfield, Versalles,
  Villa Crespo, Villa del Parque, Villa Devoto, Devoto, Villa General Mitre, Villa Lugano, Lugano,
  Villa Luro, Villa Ortúzar, Villa Pueyrredón, Villa Real, Villa Riachuelo, Villa Santa Rita,
  Villa Soldati, Villa Urquiza, Palermo Soho, Palermo Hollywood, Palermo Chico, Palermo Nuevo,
  Palermo Viejo, Palermo Botánico, Las Cañitas, Barrio Norte, Once, Congreso, Microcentro, Tribunales,
  Abasto, Barrio Parque, Catalinas, Belgrano R, Belgrano C, Belgrano Chico, Bajo Belgrano, Barrio River,
  San Nicolás, San Cristóbal, Saavedra
`)

/** Neighbourhoods that share their name with a city of the province of Buenos Aires or elsewhere. */
const alsoCities = foldedNames('San Nicolás, San Cristóbal, Saavedra')

/** Cities that people write after a neighbourhood: `Güemes, Mar del Plata`. Folded, without spaces. */
export const bigCities = foldedNames(`
  Rosario, Córdoba, Mendoza, La Plata, Mar del Plata, San Miguel de Tucumán, Salta, Santa Fe, San Juan,
  Resistencia, Santiago del Estero, Corrientes, Posadas, San Salvador de Jujuy, Paraná, Bahía Blanca,
  Neuquén, Formosa, San Luis, La Rioja, San Fernando del Valle de Catamarca, Río Cuarto,
  Comodoro Rivadavia, San Carlos de Bariloche, Concordia, San Nicolás de los Arroyos, San Rafael, Tandil,
  Villa Mercedes, Puerto Madryn, Trelew, Santa Rosa, Río Gallegos, Ushuaia, Río Grande, Rafaela,
  Villa María, Villa Carlos Paz, Pergamino, Olavarría, Junín, Necochea, Viedma, Rawson, Gualeguaychú,
  Venado Tuerto, Cipolletti, General Roca
`)

/** Name, folded and without spaces → the usual name of the city. */
export const cityByAlias: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Mar del Plata': ['MDP', 'MDQ', 'Mardel', 'M. del Plata', 'Mar del P.'],
    'San Carlos de Bariloche': ['Bariloche', 'S. C. de Bariloche', 'S. C. Bariloche', 'San C. de Bariloche'],
    'Villa Carlos Paz': ['Carlos Paz', 'V. Carlos Paz', 'V. C. Paz'],
    'San Miguel de Tucumán': ['S. M. de Tucumán', 'S. M. Tucumán', 'San M. de Tucumán', 'San Miguel de Tuc.'],
    'San Salvador de Jujuy': ['S. S. de Jujuy', 'S. S. Jujuy', 'San S. de Jujuy'],
    'San Fernando del Valle de Catamarca': [
      'S. F. del V. de Catamarca',
      'S. F. V. Catamarca',
      'San Fdo. del Valle de Catamarca',
    ],
    'Santa Fe': ['Santa Fe de la Vera Cruz'],
    'Comodoro Rivadavia': ['Comodoro', 'C. Rivadavia'],
    'La Plata': ['L. Plata'],
    'Bahía Blanca': ['B. Blanca', 'Bahía Bca.'],
    'Río Cuarto': ['Río IV', 'R. Cuarto'],
    'Villa Mercedes': ['V. Mercedes'],
    'Villa María': ['V. María'],
    'Puerto Madryn': ['Madryn'],
  }).flatMap(([city, names]) => names.map((name) => [foldTight(name), city] as const)),
)

/** Whether a name (folded, without spaces) is a neighbourhood of the Ciudad Autónoma and cannot be another city. */
export function cabaNeighbourhood(name: string): 'surely' | 'perhaps' | null {
  if (!cabaNeighbourhoods.has(name)) return null
  return alsoCities.has(name) ? 'perhaps' : 'surely'
}

/** A list of names written with commas, folded, as a set. */
function foldedNames(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map(foldTight))
}
