/**
 * HTML that escapes by default, with a type of its own: what is not `Html` is text, wherever it comes from.
 */
import { html as ghtml } from 'ghtml'

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

/** What can stand in a template. Nothing, false and null leave no trace. */
export type Piece = Html | string | number | null | undefined | false | readonly Piece[]

/** A template: texts and numbers are escaped, `Html` is taken as it is, lists are joined. */
export function html(literals: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let markup = literals[0] ?? ''
  pieces.forEach((piece, index) => {
    markup += shown(piece) + (literals[index + 1] ?? '')
  })
  return new Html(markup)
}

/** Markup that was made elsewhere, never from what somebody sent. */
export function raw(markup: string): Html {
  return new Html(markup)
}

export const nothing: Html = raw('')

/** An attribute without value, where it holds: `<input ${flag('checked', isChosen)}>`. */
export function flag(name: string, holds: boolean): Html {
  return holds ? raw(` ${name}`) : nothing
}

/** Pieces with something between them. */
export function joined(pieces: readonly Piece[], between: Piece): Html {
  return html`${pieces.flatMap((piece, index) => (index === 0 ? [piece] : [between, piece]))}`
}

function shown(piece: Piece): string {
  if (piece instanceof Html) return piece.markup
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return ghtml`${String(piece)}`
  return piece.map(shown).join('')
}
