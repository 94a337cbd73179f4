/**
 * Floor, flat, tower, office … of an address, in a uniform spelling (api.md 12.4). Units are shown and never compared: two flats of one
 * building have the same street and number.
 */
import { blockWords, indexWords, lotWords } from '../abbreviations.ts'
import { wordSet } from '../fold.ts'
import { afterLabel, isFlatLetter, type Read, readDate, readName } from '../patterns.ts'
import { localityName } from './street-name.ts'
import { hasLetter, isLetter, isMark, isNumber, isWord, type Token, type Tokens } from '../tokens.ts'

/** A number or letter follows: `Piso 3`, `Depto B`. */
const labels = indexWords({
  Piso: ['p'],
  Depto: ['dpto', 'dto', 'dep', 'depto', 'departamento', 'dept', 'deto', 'apto', 'apt', 'd'],
  UF: ['u'],
  Unidad: ['unid'],
  Torre: ['torres', 'tor'],
  Edificio: ['edif', 'ed'],
  Block: ['blk', 'bloque', 'bloc', 'monoblock', 'monobloc'],
  Cuerpo: ['cpo'],
  Módulo: ['mod'],
  Escalera: ['esc'],
  Entrada: [],
  Nivel: [],
  Oficina: ['of', 'ofic', 'ofi'],
  Local: ['loc'],
  Galería: ['gal'],
  Complejo: [],
  Cochera: ['coch'],
  Casa: [],
  Chalet: [],
  Interno: ['int'],
  Timbre: [],
  Sector: ['sect'],
  Ala: [],
  Manzana: [...blockWords],
  Lote: [...lotWords],
  Parcela: ['parc'],
  Habitación: ['hab'],
  Consultorio: ['cons'],
  Puerta: ['pta'],
})
/** May also be followed by a name: `Torre Norte`, `Edificio Bolívar`. */
const named = wordSet('Torre Edificio Galería Complejo Ala')
/** Complete without a following word. */
const alone = indexWords({
  PB: [],
  PA: [],
  PH: [],
  Fondo: ['fdo'],
  Frente: ['fte'],
  Contrafrente: ['cfte', 'cfrente'],
  Interno: [],
  Dúplex: [],
  Tríplex: [],
  Loft: [],
  Subsuelo: ['ss'],
  Entrepiso: ['ep'],
  Semipiso: [],
  Pasillo: [],
  Monoambiente: [],
  Azotea: [],
  Local: [],
  Oficina: [],
  Cochera: [],
  Casa: [],
  Departamento: [],
})

/** The unit that begins at `at`, or null. */
export function readUnit(tokens: Tokens, at: number): Read<string> | null {
  const token = tokens[at]
  if (token === undefined || token.kind === 'mark') return null
  return isNumber(token) ? numbered(tokens, at) : worded(tokens, at, token)
}

function worded(tokens: Tokens, at: number, token: Token): Read<string> | null {
  const second = tokens[at + 1]
  const ground = isWord(token, 'p') || isWord(token, 'planta')
  if (ground && (isWord(second, 'b') || isWord(second, 'baja'))) return { value: 'PB', next: at + 2 }
  if (ground && (isWord(second, 'a') || isWord(second, 'alta'))) return { value: 'PA', next: at + 2 }
  const functional = isWord(token, 'u') && isWord(second, 'f')
  if (functional || (isWord(token, 'unidad') && isWord(second, 'funcional'))) {
    const name = readName(tokens, afterLabel(tokens, at + 2))
    return name ? { value: `UF ${name.value}`, next: name.next } : null
  }
  if (isWord(token, 'al') && isWord(second, 'fondo')) return { value: 'Fondo', next: at + 2 }

  const label = labels.get(token.folded)
  if (label !== undefined) {
    const name = readName(tokens, afterLabel(tokens, at + 1))
    const lone = isLetter(token) && !isNumber(second)
    if (name && !lone) {
      return {
        value: `${label} ${name.value}`,
        next: isMark(tokens[name.next], 'º') ? name.next + 1 : name.next,
      }
    }
    if (label === 'Depto' && isWord(second, alone)) return { value: 'Depto', next: at + 1 }
    if (named.has(label) && second?.kind === 'word') return buildingName(tokens, at + 1, label)
  }
  const flag = alone.get(token.folded)
  if (flag !== undefined && !(flag === 'Frente' && isWord(second, 'a'))) return { value: flag, next: at + 1 }
  if (!isFlatLetter(tokens, at) || isPostalNumber(second)) return null
  const letter = token.text.toUpperCase()
  return second !== undefined && isShortNumber(second)
    ? { value: `${letter} ${second.text}`, next: at + 2 }
    : { value: letter, next: at + 1 }
}

/** `3º B`, `4to piso`, `3 B`, `3`. */
function numbered(tokens: Tokens, at: number): Read<string> | null {
  const token = tokens[at]
  if (token === undefined || readDate(tokens, at)) return null
  const second = tokens[at + 1]
  if (isWord(second, 'piso') || (isWord(second, 'p') && isFlatLetter(tokens, at + 1))) {
    return { value: `Piso ${token.text}`, next: at + 2 }
  }
  if (token.ending !== '' && !hasLetter(token)) {
    const letter = isFlatLetter(tokens, at + 1) ? second : undefined
    if (letter) return { value: `${token.text}º ${letter.text.toUpperCase()}`, next: at + 2 }
    return { value: `${token.text}º`, next: at + 1 }
  }
  const name = readName(tokens, at)
  if (!name || (isPostalNumber(token) && name.next === at + 1)) return null
  return token.folded.length <= 4 ? name : null
}

function buildingName(tokens: Tokens, at: number, label: string): Read<string> {
  let next = at
  while (tokens[next]?.kind === 'word' && (next === at || readUnit(tokens, next) === null)) next += 1
  return { value: `${label} ${localityName(tokens.slice(at, next))?.shown ?? ''}`, next }
}

function isShortNumber(token: Token): boolean {
  return isNumber(token) && token.folded.length <= 3 && (token.ending === '' || token.ending === 'º')
}

/** Postal codes have four digits. */
export function isPostalNumber(token: Token | undefined): boolean {
  return isNumber(token) && token.folded.length === 4
}
