/** The template tag of every page, mail and sitemap. It escapes everything except `Html`, so text from any source stays text. */
import { perObject } from '../memory/per-object.ts'

/** Markup, as opposed to text. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }

  toString(): string {
    return this.markup
  }
}

/** A value in a template. Null, undefined and false print nothing. */
export type Piece = Html | string | number | null | undefined | false | readonly Piece[]

/** The texts of a template, without the indentation of the source. */
const compactTexts = perObject<TemplateStringsArray, readonly string[]>((literals) =>
  literals.map((text) => text.replaceAll(/\s*\n\s*/g, '\n')),
)

/** A template: texts and numbers are escaped, `Html` stays unchanged, lists are joined. The indentation of the source is dropped. */
export function html(literals: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const parts = compactTexts(literals)
  let markup = parts[0] ?? ''
  for (let index = 0; index < pieces.length; index += 1)
    markup += markupOf(pieces[index]) + (parts[index + 1] ?? '')
  return new Html(markup)
}

/** Markup from another source. Never pass user input. */
export function raw(markup: string): Html {
  return new Html(markup)
}

export const nothing: Html = raw('')

/** An attribute without a value: `<input ${flag('checked', isChosen)}>`. */
export function flag(name: string, holds: boolean): Html {
  return holds ? raw(` ${name}`) : nothing
}

type AttributeValues = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Attributes: true prints the name alone. Null, undefined and false print nothing. */
export function attributes(values: AttributeValues): Html {
  return html`${Object.entries(values).map(([name, value]) =>
    value === true ? raw(` ${name}`) : value !== false && value != null && html` ${raw(name)}="${value}"`,
  )}`
}

/** Attributes whose names begin with `data-`. */
export function dataAttributes(values: AttributeValues): Html {
  return attributes(
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`data-${name}`, value])),
  )
}

/** Pieces with something between them. */
export function joined(pieces: readonly Piece[], between: Piece): Html {
  return html`${pieces.flatMap((piece, index) => (index === 0 ? [piece] : [between, piece]))}`
}

function markupOf(piece: Piece): string {
  if (piece instanceof Html) return piece.markup
  if (piece === null || piece === undefined || piece === false) return ''
  return Array.isArray(piece) ? piece.map(markupOf).join('') : escaped(String(piece))
}

/** The equals sign is escaped too, so that no text looks like an attribute. */
function escaped(text: string): string {
  return text.replaceAll(/["&'<=>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
