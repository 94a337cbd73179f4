/** Texts of the search: its form, the filters in use, and the number of listings found. */
import { counted, filled, type Text, text } from '../../../platform/web/language/both-languages.ts'
import { listingWords } from '../../../platform/web/language/listing-words.ts'

export const search = {
  search: text('Buscar', 'Search'),
  filters: text('Buscar entre las propiedades', 'Search these listings'),
  filterLabels: {
    q: text('Qué buscás', 'Keywords'),
    min_m2: text('Superficie desde', 'Min. area'),
    max_m2: text('Superficie hasta', 'Max. area'),
    min_price: text('Precio desde', 'Min. price'),
    max_price: text('Precio hasta', 'Max. price'),
  } as Partial<Record<string, Text<string>>>,
  wordsHint: text('Título, calle o zona', 'Title, street or area'),
  area: text('Superficie en m²', 'Area in m²'),
  from: text('Desde', 'From'),
  to: text('Hasta', 'To'),
  moreFilters: text('Filtros', 'Filters'),
  /** On the button below the filters. */
  show: text('Ver resultados', 'Show results'),
  /** For nouns of each gender. */
  any: text('Todas', 'Any'),
  anyOne: text('Todos', 'Any'),
  orMore: filled((count: string) => [`${count} o más`, `${count} or more`]),
  chips: {
    chosen: text('Filtros elegidos', 'Chosen filters'),
    remove: filled((label: string) => [`Quitar el filtro ${label}`, `Remove the filter ${label}`]),
    q: filled((words: string) => [`«${words}»`, `“${words}”`]),
    bedrooms: filled((count: string) => [`${count} o más dormitorios`, `${count}+ bedrooms`]),
    bathrooms: filled((count: string) => [`${count} o más baños`, `${count}+ bathrooms`]),
    currency: filled((currency: string) => [`Precio en ${currency}`, `Price in ${currency}`]),
    from: filled((min: string) => [`Desde ${min}`, `From ${min}`]),
    to: filled((max: string) => [`Hasta ${max}`, `Up to ${max}`]),
  },
  filterRefused: filled((name: string, value: string) => [
    `No usamos el filtro «${name}: ${value}»: no es un valor válido.`,
    `The filter “${name}: ${value}” was left out: that is not a valid value.`,
  ]),
  pricesCrossed: text(
    'El precio mínimo es mayor que el máximo.',
    'The minimum price is higher than the maximum price.',
  ),
  areasCrossed: text(
    'La superficie mínima es mayor que la máxima.',
    'The minimum area is larger than the maximum area.',
  ),
  sort: text('Ordenar por', 'Sort by'),
  sorts: {
    recent: text('Más recientes', 'Newest'),
    price_asc: text('Menor precio', 'Lowest price'),
    price_desc: text('Mayor precio', 'Highest price'),
  } as Record<string, Text<string>>,
  clear: text('Quitar filtros', 'Clear filters'),
  found: counted(['# resultado', '# resultados'], ['# result', '# results']),
  nothingFound: text('No hay propiedades con esos filtros.', 'No listings match these filters.'),
  nothingFoundHint: text(
    'Probá con menos filtros o con otra palabra.',
    'Try fewer filters, or a different word.',
  ),
  relax: text('Si quitás un filtro:', 'If you remove a filter:'),
  relaxed: filled((label: string, count: string) => [
    `${listingWords.listingCount.es(count)} sin «${label}»`,
    `${listingWords.listingCount.en(count)} without “${label}”`,
  ]),
}
