/**
 * The districts around Buenos Aires and La Plata with their towns (api.md 12.1). For the census, and so for georef, each
 * district is one city, while people name the town: a question for Olivos is answered with `Vicente López`.
 */
import { foldTight } from '../addresses/fold.ts'

const districts: Readonly<Record<string, string>> = {
  'Almirante Brown': `Adrogué, Burzaco, Claypole, Don Orione, Glew, José Mármol, Longchamps, Malvinas Argentinas,
    Ministro Rivadavia, Rafael Calzada, San Francisco Solano, San José`,
  Avellaneda: 'Crucecita, Dock Sud, Gerli, Piñeiro, Piñeyro, Sarandí, Villa Domínico, Wilde',
  Berazategui: `Carlos Tomás Sourigues, Sourigues, El Pato, Guillermo Hudson, Hudson, Juan María Gutiérrez, Gutiérrez,
    Pereyra, Plátanos, Ranelagh, Villa España`,
  'Esteban Echeverría': '9 de Abril, Canning, El Jagüel, Luis Guillón, Monte Grande',
  Ezeiza: 'Aeropuerto Ezeiza, Canning, Carlos Spegazzini, José María Ezeiza, La Unión, Tristán Suárez',
  'Florencio Varela': `Bosques, Gobernador Costa, Ingeniero Allan, Villa Brown, Villa San Luis, Villa Santa Rosa,
    Villa Vatteone, Zeballos`,
  'General San Martín': `San Martín, Billinghurst, Ciudad Jardín El Libertador, José León Suárez, Loma Hermosa, San Andrés,
    Villa Ballester, Villa Lynch, Villa Maipú`,
  Hurlingham: 'Villa Santos Tesei, Villa Tesei, William C. Morris, William Morris',
  Ituzaingó: 'Villa Gobernador Udaondo, Villa Udaondo',
  'José C. Paz': 'Sol y Verde',
  'La Matanza': `20 de Junio, Aldo Bonzi, Ciudad Evita, González Catán, Gregorio de Laferrere, Laferrere, Isidro Casanova,
    La Tablada, Lomas del Mirador, Rafael Castillo, Ramos Mejía, San Justo, Tapiales, Villa Celina, Villa Luzuriaga,
    Villa Madero, Virrey del Pino`,
  'La Plata': `Abasto, Altos de San Lorenzo, City Bell, Gonnet, Manuel B. Gonnet, Gorina, Joaquín Gorina, José Hernández,
    Lisandro Olmos, Los Hornos, Melchor Romero, Ringuelet, Tolosa, Villa Elisa, Villa Elvira`,
  Lanús: 'Lanús Este, Lanús Oeste, Gerli, Monte Chingolo, Remedios de Escalada, Valentín Alsina',
  'Lomas de Zamora': `Banfield, Ingeniero Budge, Llavallol, San José, Temperley, Turdera, Villa Centenario,
    Villa Fiorito`,
  'Malvinas Argentinas': `Adolfo Sourdeaux, Ingeniero Adolfo Sourdeaux, Grand Bourg, Los Polvorines, Pablo Nogués,
    Ingeniero Pablo Nogués, Tierras Altas, Tortuguitas, Villa de Mayo`,
  Merlo: 'Libertad, Mariano Acosta, Parque San Martín, Pontevedra, San Antonio de Padua',
  Moreno: 'Cuartel V, Francisco Álvarez, La Reja, Paso del Rey, Trujui',
  Morón: 'Castelar, El Palomar, Haedo, Villa Sarmiento',
  Quilmes: 'Bernal, Bernal Oeste, Don Bosco, Ezpeleta, Quilmes Oeste, San Francisco Solano, Villa La Florida',
  'San Fernando': 'Victoria, Virreyes',
  'San Isidro': 'Acassuso, Beccar, Boulogne, Boulogne Sur Mer, Martínez, Villa Adelina',
  'San Miguel': 'Bella Vista, Campo de Mayo, Muñiz',
  Tigre: `Benavídez, Dique Luján, Don Torcuato, El Talar, General Pacheco, Nordelta, Ricardo Rojas,
    Rincón de Milberg, Troncos del Talar`,
  'Tres de Febrero': `Caseros, Churruca, Ciudad Jardín Lomas del Palomar, Ciudadela, El Libertador, José Ingenieros,
    Loma Hermosa, Martín Coronado, Pablo Podestá, Sáenz Peña, Santos Lugares, Villa Bosch, Villa Raffo`,
  'Vicente López': `Carapachay, Florida, Florida Oeste, La Lucila, Munro, Olivos, Villa Adelina, Villa Martelli`,
}

const townsOfDistrict: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(districts).map(([district, towns]) => [
    foldTight(district),
    towns.split(',').map((town) => foldTight(town)),
  ]),
)

/** Keys of the towns in a district of the province of Buenos Aires that the census treats as one place; empty for other districts. */
export function townsOf(districtKey: string): readonly string[] {
  return townsOfDistrict.get(districtKey) ?? []
}
