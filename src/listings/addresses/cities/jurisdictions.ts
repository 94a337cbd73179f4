/** The 24 jurisdictions of Argentina with the names and aliases that people write (api.md 12.4). */
import { foldTight, wordSet } from '../fold.ts'
import { remembering } from '../../../platform/memory/bounded-map.ts'

export type Jurisdiction = Readonly<{
  /** ISO 3166-2. */
  code: string
  /** The usual name, used as the canonical one. */
  name: string
  capital: string
  aliases: readonly string[]
}>

export const caba = jurisdiction(
  'AR-C',
  'Ciudad Autónoma de Buenos Aires',
  'Ciudad Autónoma de Buenos Aires',
  `CABA, Capital Federal, Cap. Federal, Capital Fed., Cap. Fed., Capfed, C. Federal, Buenos Aires Capital,
  Buenos Aires Ciudad, Buenos Aires City, Bs. As. Capital, Distrito Federal`,
)

export const buenosAires = jurisdiction(
  'AR-B',
  'Buenos Aires',
  'La Plata',
  `Bs. As., Bs. Aires, Bsas, Baires, PBA, Pcia. Bs. As., Buenos Aires Provincia, Interior de Buenos Aires,
  Buenos Aires Interior, Bs. As. Interior, Costa Atlántica, Buenos Aires Costa Atlántica, Bs. As. Costa Atlántica,
  GBA, Gran Buenos Aires, Gran Bs. As., Conurbano, Conurbano bonaerense, GBA Norte, GBA Sur, GBA Oeste,
  GBA Zona Norte, GBA Zona Sur, GBA Zona Oeste, Zona Norte GBA, Zona Sur GBA, Zona Oeste GBA, Bs. As. G.B.A. Norte,
  Bs. As. G.B.A. Sur, Bs. As. G.B.A. Oeste, Bs. As. G.B.A. Zona Norte, Bs. As. G.B.A. Zona Sur,
  Bs. As. G.B.A. Zona Oeste`,
)

/** All 24 jurisdictions by name. */
export const jurisdictions: readonly Jurisdiction[] = [
  buenosAires,
  caba,
  jurisdiction('AR-K', 'Catamarca', 'San Fernando del Valle de Catamarca', 'Ctca., Catam.'),
  jurisdiction('AR-H', 'Chaco', 'Resistencia', 'El Chaco'),
  jurisdiction('AR-U', 'Chubut', 'Rawson', 'Chub., El Chubut'),
  jurisdiction('AR-X', 'Córdoba', 'Córdoba', 'Cba., Cdba.'),
  jurisdiction('AR-W', 'Corrientes', 'Corrientes', 'Ctes.'),
  jurisdiction('AR-E', 'Entre Ríos', 'Paraná', 'E. Ríos'),
  jurisdiction('AR-P', 'Formosa', 'Formosa', 'Fsa., Fma.'),
  jurisdiction('AR-Y', 'Jujuy', 'San Salvador de Jujuy', 'Juj.'),
  jurisdiction('AR-L', 'La Pampa', 'Santa Rosa', 'L. Pampa'),
  jurisdiction('AR-F', 'La Rioja', 'La Rioja', 'L. Rioja'),
  jurisdiction('AR-M', 'Mendoza', 'Mendoza', 'Mza., Mdza., Mdz.'),
  jurisdiction('AR-N', 'Misiones', 'Posadas', 'Mnes., Msnes.'),
  jurisdiction('AR-Q', 'Neuquén', 'Neuquén', 'Nqn., Neuq.'),
  jurisdiction('AR-R', 'Río Negro', 'Viedma', 'R. Negro'),
  jurisdiction('AR-A', 'Salta', 'Salta'),
  jurisdiction('AR-J', 'San Juan', 'San Juan', 'S. Juan, Sn. Juan'),
  jurisdiction('AR-D', 'San Luis', 'San Luis', 'S. Luis, Sn. Luis'),
  jurisdiction('AR-Z', 'Santa Cruz', 'Río Gallegos', 'Sta. Cruz, S. Cruz'),
  jurisdiction('AR-S', 'Santa Fe', 'Santa Fe', 'Sta. Fe, S. Fe'),
  jurisdiction(
    'AR-G',
    'Santiago del Estero',
    'Santiago del Estero',
    'Sgo. del Estero, Stgo. del Estero, S. del Estero, Sgo. Estero, Santiago del E.',
  ),
  jurisdiction(
    'AR-V',
    'Tierra del Fuego',
    'Ushuaia',
    `TDF, T. del Fuego, T. del F., Tierra del Fuego Antártida e Islas del Atlántico Sur, Tierra del Fuego AIAS,
    T.D.F. A.I.A.S.`,
  ),
  jurisdiction('AR-T', 'Tucumán', 'San Miguel de Tucumán', 'Tuc.'),
]

function jurisdiction(code: string, name: string, capital: string, aliases = name): Jurisdiction {
  return { code, name, capital, aliases: aliases.split(/,\s+/u) }
}

const byName = new Map<string, Jurisdiction>()
for (const one of jurisdictions)
  for (const name of [one.name, one.code, ...one.aliases]) byName.set(foldTight(name), one)
export const provinceWords = wordSet('provincia prov pcia pvcia pcial')
const prefix = new RegExp(`^(?:${[...provinceWords].join('|')})`, 'u')
/** Abbreviations of the Ciudad Autónoma. */
const cabaPattern = /^(?:ciudad|cdad|cd)(?:autonoma|auton|aut|a)?(?:de)?(?:buenosaires|bsaires|bsas)$/u

/**
 * The jurisdiction with this name, alias or ISO code, with or without `Provincia de`; case, accents, dots and spaces do not count. Null if
 * there is none.
 */
export const findJurisdiction = remembering(500, (text: string) => findFoldedJurisdiction(foldTight(text)))

/** The same for a text that is already folded and has no spaces. */
export function findFoldedJurisdiction(folded: string): Jurisdiction | null {
  const whole = byName.get(folded)
  if (whole) return whole
  if (cabaPattern.test(folded)) return caba
  if (!prefix.test(folded)) return null
  const bare = folded.replace(prefix, '')
  const found = [bare, bare.replace(/^de/u, ''), bare.replace(/^del/u, '')].map((name) => byName.get(name))
  return found.find((one) => one !== undefined) ?? null
}
