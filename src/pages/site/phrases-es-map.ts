/** Español (Argentina): los mapas. */
export const mapSpanish = {
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  mapOfListing: 'Mapa con la ubicación de la propiedad',
  mapOfListings: 'Mapa de las propiedades',
  showMap: 'Ver en el mapa',
  approximateArea: 'La propiedad está dentro de esta zona. Pedile la dirección exacta a la inmobiliaria.',
  listingsHere: (count: number) => `${count} propiedades acá`,
  noPins: 'Ninguna de estas propiedades está ubicada en el mapa.',
  somePins: (count: number) =>
    `El mapa muestra las primeras ${count}. Filtrá la búsqueda para ver las demás.`,
  mapFailed: 'No se pudo cargar el mapa. Probá de nuevo en un rato.',
}
