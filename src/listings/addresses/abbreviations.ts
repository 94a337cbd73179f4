/**
 * The abbreviations of Argentine addresses (api.md 12.4). Additions change comparison keys: raise
 * `addressRulesVersion` with them.
 */
import { foldForAddress, wordSet } from './fold.ts'

/** Full form → abbreviations, folded and without dots. */
type Abbreviations = Readonly<Record<string, readonly string[]>>

/** Street types, which precede the name: `Av. Corrientes`. */
export const streetTypes = {
  Calle: ['cll', 'clle'],
  Avenida: ['av', 'avda', 'avd', 'ave', 'avnda'],
  Boulevard: ['bv', 'bvd', 'blv', 'blvd', 'bld', 'bvar', 'bvard', 'boul', 'bulevar', 'boulevar', 'bulevard'],
  Pasaje: ['pje', 'psje', 'pas', 'pj', 'psaje'],
  Diagonal: ['diag', 'dg', 'dgnal'],
  Camino: ['cno', 'cmno', 'cam'],
  Ruta: ['rta'],
  Autopista: ['autop', 'aut', 'au'],
  Autovía: [],
  Colectora: ['colect', 'colec'],
  Acceso: ['acc'],
  Callejón: ['cjon', 'clljon'],
  Cortada: ['cda', 'cort'],
  Peatonal: ['peat'],
  Paseo: ['pso', 'pseo'],
  Plaza: ['plza', 'pza'],
  Alameda: [],
  Transversal: ['transv'],
  Sendero: [],
} as const satisfies Abbreviations

/** Ranks, professions, holy names and first names: `Gral. Paz`, `Pje. Sta. Rosa`, `Av. Pte. Perón`. */
export const titles = {
  General: ['gral', 'gnral', 'grl'],
  Coronel: ['cnel', 'cnl', 'crnel', 'crel'],
  Teniente: ['tte', 'tnte'],
  Subteniente: ['subtte', 'sbtte', 'stte'],
  Capitán: ['cap', 'cptn', 'capit'],
  Sargento: ['sgto', 'sarg', 'sgt'],
  Soldado: ['sold', 'sdo'],
  Almirante: ['alte', 'almte', 'alm'],
  Contraalmirante: ['calte', 'contralte', 'contraalte', 'contralmirante', 'contraalmte'],
  Vicealmirante: ['valte', 'vicealte'],
  Brigadier: ['brig', 'brigd', 'bgdier'],
  Comandante: ['cdte', 'cmdte', 'cmte', 'comte', 'comdte', 'cte'],
  Comodoro: ['cdro', 'comod', 'cmdro'],
  Comisario: ['crio', 'comis'],
  Mayor: ['myr', 'my'],
  Mariscal: ['mcal', 'mscal'],
  Alférez: ['alf', 'alfz', 'alfez'],
  Marqués: ['mqs', 'mques', 'marq'],
  Doctor: ['dr'],
  Doctora: ['dra'],
  Doctores: ['dres'],
  Ingeniero: ['ing', 'ingen'],
  Arquitecto: ['arq'],
  Profesor: ['prof'],
  Profesora: ['profa'],
  Licenciado: ['lic'],
  Escribano: ['escr', 'escrib'],
  Maestro: ['mtro', 'mstro'],
  Maestra: ['mtra'],
  Presidente: ['pte', 'pres', 'presid', 'pdte', 'presidte', 'ptte'],
  Gobernador: ['gob', 'gdor', 'gobern', 'gdr'],
  Intendente: ['int', 'intend', 'intte', 'inte', 'intdte'],
  Ministro: ['min'],
  Senador: ['sen'],
  Diputado: ['dip'],
  Monseñor: ['mons', 'msr'],
  Presbítero: ['pbro', 'presb', 'pbtero'],
  Fray: ['fr'],
  Hermano: ['hno'],
  Hermana: ['hna'],
  Hermanos: ['hnos'],
  Hermanas: ['hnas'],
  Santa: ['sta'],
  Santo: ['sto'],
  San: ['sn'],
  Nuestra: ['ntra', 'nstra'],
  Nuestro: ['ntro'],
  Señora: ['sra'],
  Señor: ['sr'],
  Virgen: ['vgen'],
  Don: ['dn'],
  Doña: ['dña'],
  República: ['rep', 'rca', 'repca'],
  Provincia: ['pcia', 'pvcia', 'prov'],
  Provincias: ['pcias', 'provs'],
  Ciudad: ['cdad'],
  Colonia: ['cnia'],
  Puerto: ['pto'],
  Parque: ['pque', 'pqe'],
  Barrio: ['bo', 'brio', 'bario'],
  Estación: ['estac', 'estc'],
  Villa: ['va', 'vla'],
  María: ['ma'],
  Francisco: ['fco', 'fcisco'],
  Florencio: ['fcio', 'flcio'],
  Guillermo: ['gmo'],
  Bartolomé: ['bme', 'bartme', 'bart'],
  Domingo: ['dgo', 'dmgo'],
  Hipólito: ['hip', 'hipol'],
  Vicente: ['vte', 'vcte'],
  Santiago: ['sgo', 'stgo'],
  Esteban: ['esteb'],
  Córdoba: ['cba', 'cdba'],
  Circunvalación: ['circunv'],
  Costanera: ['costan'],
  Libertador: ['lib', 'libert', 'ldor'],
  Independencia: ['indep', 'indepcia'],
  Septiembre: ['setiembre', 'sept'],
} as const satisfies Abbreviations

/** After `Ruta`. */
const routeKinds = {
  Nacional: ['nac', 'nal', 'nacnal'],
  Provincial: ['prov', 'pcial', 'prcial', 'pvcial', 'provincia', 'pcia'],
} as const satisfies Abbreviations

export const typeByWord = indexWords(streetTypes)
export const titleByWord = indexWords(titles)
export const routeKindByWord = indexWords(routeKinds)

/** Types that may also follow the name: `Corrientes Av. 1234`. */
export const trailingTypes = wordSet('Avenida Boulevard Pasaje Diagonal')

/** Types that a number or name always follows, regardless of the words before: `Colectora Este Ruta 9 km 40`. */
export const routeTypes = wordSet('Ruta Autopista Autovía Acceso')

/** Abbreviations that mean a type only at the beginning; elsewhere they are words or names. */
export const leadingOnly = wordSet('pas pj dg cam au aut acc cda cort ave pso colec peat cll')

/** Words that open the name of a neighbourhood or estate, inside which lots and houses are numbered. */
export const estateWords = wordSet('barrio bo brio bario country complejo condominio conjunto club')

/** Words for a block and a lot of an estate: `Mz 4 Lote 12`. */
export const blockWords = wordSet('mz mza mzn mzna manz manzana')
export const lotWords = wordSet('lote lotes lt lte lts')

/** Keys are folded names. */
export const months: ReadonlyMap<string, string> = new Map(
  `Enero Febrero Marzo Abril Mayo Junio Julio Agosto Septiembre Octubre Noviembre Diciembre`
    .split(' ')
    .map((month) => [foldForAddress(month), month] as const)
    .concat([
      ['setiembre', 'Septiembre'],
      ['sept', 'Septiembre'],
    ]),
)

/** Days written out, for streets named after a date: `Nueve de Julio`. */
export const dayWords: ReadonlyMap<string, string> = new Map(
  `primero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete
  dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho
  veintinueve treinta`
    .split(/\s+/u)
    .map((word, i) => [word, String(i + 1)]),
)

/** Ordinals inside a name, from the first: `1ro` is `Primero`, `1ra` is `Primera`. */
export const ordinalNames = 'Primero Segundo Tercero Cuarto Quinto Sexto Séptimo Octavo Noveno Décimo'.split(
  ' ',
)

/** The full form of each word, folded. */
export function indexWords(abbreviations: Abbreviations): ReadonlyMap<string, string> {
  const full = new Map<string, string>()
  for (const [name, shorts] of Object.entries(abbreviations)) {
    for (const word of [name, ...shorts]) full.set(foldForAddress(word), name)
  }
  return full
}
