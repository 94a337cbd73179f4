/**
 * Markdown to HTML for the texts of the documentation. They are our own, and still nothing in them is markup: HTML is shown as text.
 * Blocks of code that follow each other in different languages become one block to switch between.
 */
import { Marked, type Tokens } from 'marked'
import { html, type Html, joined, raw } from '../../../platform/web/html.ts'
import { codeView, type CodeBlock } from './code-view.ts'

/** A heading of a text, for the table of contents and the search. */
export type Heading = { depth: number; id: string; text: string }

export type Rendered = { body: Html; headings: Heading[] }

export type MarkdownOptions = Readonly<{
  /** Where a link leads, from what the text says; the same by default. Null where it leads nowhere. */
  linkOf?: (target: string) => string | null
  /** How many levels the headings go down. */
  deeper?: number
}>

/** A whole text. */
export function markdown(text: string, options: MarkdownOptions = {}): Rendered {
  const headings: Heading[] = []
  const marked = markedFor(options, headings)
  const tokens = marked.lexer(text)
  const parts: string[] = []
  let blocks: CodeBlock[] = []
  const endBlocks = () => {
    if (blocks.length > 0) parts.push(codeView(blocks).markup)
    blocks = []
  }
  for (const token of tokens) {
    if (token.type === 'space') continue
    if (token.type === 'code') {
      const block = codeBlock(token as Tokens.Code)
      if (blocks.some(({ language }) => language === block.language)) endBlocks()
      blocks.push(block)
      continue
    }
    endBlocks()
    parts.push(marked.parser([token]))
  }
  endBlocks()
  return { body: raw(parts.join('')), headings }
}

/** A line or two without blocks, such as the description of a field. */
export function inlineMarkdown(text: string): Html {
  return raw(plain.parseInline(text.replaceAll('\n', ' ')) as string)
}

/** A long name that may break where its words end, and a hash every 16 digits, because the columns of a phone are narrow. */
export function breakable(name: string): Html {
  const words = name.split(/(?<=[_./-])(?=\w{3})/)
  return joined(
    words.flatMap((word) => (word.length > 32 ? (word.match(/.{1,16}/gsu) ?? []) : [word])),
    raw('<wbr />'),
  )
}

/** As GitHub makes them. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** After the backticks come the language and, if it comes from one, the file. */
function codeBlock({ text, lang = '' }: Tokens.Code): CodeBlock {
  const [language = '', file] = lang.split(' ')
  return { language, text, ...(file === undefined ? {} : { file }) }
}

function markedFor(
  { linkOf = (target) => target, deeper = 0 }: MarkdownOptions,
  headings: Heading[],
): Marked {
  let isInTable = false
  return new Marked({
    renderer: {
      codespan: ({ text }) => html`<code>${isInTable ? breakable(text) : text}</code>`.markup,
      html: ({ text }) => html`${text}`.markup,
      heading({ tokens, depth, text }) {
        const title = text.replaceAll('`', '')
        const [id, level] = [anchorOf(title), depth + deeper]
        headings.push({ depth: level, id, text: title })
        return `<h${level} id="${id}">${this.parser.parseInline(tokens)}</h${level}>`
      },
      link({ href, tokens }) {
        const [target, inner] = [linkOf(href), raw(this.parser.parseInline(tokens))]
        return (target === null ? inner : html`<a href="${target}">${inner}</a>`).markup
      },
      // Wide tables and code scroll by themselves, by keyboard too.
      code: (token) => codeView([codeBlock(token)]).markup,
      table(token) {
        isInTable = true
        const row = (cells: Tokens.TableCell[], tag: 'td' | 'th') =>
          cells.map((cell) => {
            const inner = this.parser.parseInline(cell.tokens)
            // A heading without a text is none.
            return inner === '' ? '<td></td>' : `<${tag}>${inner}</${tag}>`
          })
        const head = `<thead><tr>${row(token.header, 'th').join('')}</tr></thead>`
        const rows = token.rows.map((cells) => `<tr>${row(cells, 'td').join('')}</tr>`)
        isInTable = false
        return `<div class="table" tabindex="0"><table>${head}<tbody>${rows.join('')}</tbody></table></div>`
      },
    },
  })
}

const plain = markedFor({}, [])
