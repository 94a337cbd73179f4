/** The 24 jurisdictions of Argentina with the names and aliases that people write (api.md 12.4). */
import { foldTight } from './fold.ts'
import { remembering } from '../../platform/memory/bounded-map.ts'

export type Jurisdiction = Readonly<{
  /** ISO 3166-2. */
  code: string
  /** The usual name, used as the canonical one. */
  name: string
  capital: string
  aliases: readonly string[]
}>

export const caba: Jurisdiction = {
  code: 'AR-C',
  name: 'Ciudad Autónoma de Buenos Aires',
  capital: 'Ciudad Autónoma de Buenos Aires',
  aliases: names(
    `CABA, Capital Federal, Cap. Federal, Capital Fed., Cap. Fed., Capfed, C. Federal, Buenos Aires Capital,
    Buenos Aires Ciudad, Buenos Aires City, Bs. As. Capital, Distrito Federal`,
  ),
}

export const buenosAires: Jurisdiction = {
  code: 'AR-B',
  name: 'Buenos Aires',
  capital: 'La Plata',
  aliases: names(
    `Bs. As., Bs. Aires, Bsas, Baires, PBA, Pcia. Bs. As., Buenos Aires Provincia, Interior de Buenos Aires,
    Buenos Aires Interior, Bs. As. Interior, Costa Atlántica, Buenos Aires Costa Atlántica, Bs. As. Costa Atlántica,
    GBA, Gran Buenos Aires, Gran Bs. As., Conurbano, Conurbano bonaerense, GBA Norte, GBA Sur, GBA Oeste,
    GBA Zona Norte, GBA Zona Sur, GBA Zona Oeste, Zona Norte GBA, Zona Sur GBA, Zona Oeste GBA, Bs. As. G.B.A. Norte,
    Bs. As. G.B.A. Sur, Bs. As. G.B.A. Oeste, Bs. As. G.B.A. Zona Norte, Bs. As. G.B.A. Zona Sur,
    Bs. As. G.B.A. Zona Oeste`,
  ),
}

/** All 24 jurisdictions by name. */
export const jurisdictions: readonly Jurisdiction[] = [
  buenosAires,
  caba,
  {
    code: 'AR-K',
    name: 'Catamarca',
    capital: 'San Fernando del Valle de Catamarca',
    aliases: ['Ctca.', 'Catam.'],
  },
  { code: 'AR-H', name: 'Chaco', capital: 'Resistencia', aliases: ['El Chaco'] },
  { code: 'AR-U', name: 'Chubut', capital: 'Rawson', aliases: ['Chub.', 'El Chubut'] },
  { code: 'AR-X', name: 'Córdoba', capital: 'Córdoba', aliases: ['Cba.', 'Cdba.'] },
  { code: 'AR-W', name: 'Corrientes', capital: 'Corrientes', aliases: ['Ctes.'] },
  { code: 'AR-E', name: 'Entre Ríos', capital: 'Paraná', aliases: ['E. Ríos'] },
  { code: 'AR-P', name: 'Formosa', capital: 'Formosa', aliases: ['Fsa.', 'Fma.'] },
  { code: 'AR-Y', name: 'Jujuy', capital: 'San Salvador de Jujuy', aliases: ['Juj.'] },
  { code: 'AR-L', name: 'La Pampa', capital: 'Santa Rosa', aliases: ['L. Pampa'] },
  { code: 'AR-F', name: 'La Rioja', capital: 'La Rioja', aliases: ['L. Rioja'] },
  { code: 'AR-M', name: 'Mendoza', capital: 'Mendoza', aliases: ['Mza.', 'Mdza.', 'Mdz.'] },
  { code: 'AR-N', name: 'Misiones', capital: 'Posadas', aliases: ['Mnes.', 'Msnes.'] },
  { code: 'AR-Q', name: 'Neuquén', capital: 'Neuquén', aliases: ['Nqn.', 'Neuq.'] },
  { code: 'AR-R', name: 'Río Negro', capital: 'Viedma', aliases: ['R. Negro'] },
  { code: 'AR-A', name: 'Salta', capital: 'Salta', aliases: [] },
  { code: 'AR-J', name: 'San Juan', capital: 'San Juan', aliases: ['S. Juan', 'Sn. Juan'] },
  { code: 'AR-D', name: 'San Luis', capital: 'San Luis', aliases: ['S. Luis', 'Sn. Luis'] },
  { code: 'AR-Z', name: 'Santa Cruz', capital: 'Río Gallegos', aliases: ['Sta. Cruz', 'S. Cruz'] },
  { code: 'AR-S', name: 'Santa Fe', capital: 'Santa Fe', aliases: ['Sta. Fe', 'S. Fe'] },
  {
    code: 'AR-G',
    name: 'Santiago del Estero',
    capital: 'Santiago del Estero',
    aliases: ['Sgo. del Estero', 'Stgo. del Estero', 'S. del Estero', 'Sgo. Estero', 'Santiago del E.'],
  },
  {
    code: 'AR-V',
    name: 'Tierra del Fuego',
    capital: 'Ushuaia',
    aliases: [
      'TDF',
      'T. del Fuego',
      'T. del F.',
      'Tierra del Fuego, Antártida e Islas del Atlántico Sur',
      'Tierra del Fuego AIAS',
      'T.D.F. A.I.A.S.',
    ],
  },
  { code: 'AR-T', name: 'Tucumán', capital: 'San Miguel de Tucumán', aliases: ['Tuc.'] },
]

const byName = new Map<string, Jurisdiction>()
for (const jurisdiction of jurisdictions) {
  for (const name of [jurisdiction.name, jurisdiction.code, ...jurisdiction.aliases]) {
    byName.set(foldTight(name), jurisdiction)
  }
}
const prefix = /^(?:provincia|prov|pcia|pvcia|pcial)/u
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

function names(list: string): string[] {
  return list.split(/,\s+/u)
}
