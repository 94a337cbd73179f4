/** Markdown to HTML for the documentation. HTML in it is shown as text. Adjacent code in several languages becomes one block. */
import { Marked, type Tokens } from 'marked'
import { html, type Html, joined, raw } from '../../../platform/web/html.ts'
import { sampleLanguages } from '../../../platform/web/request-samples.ts'

/** A heading of a text, for the table of contents and the search. */
type Heading = { depth: number; id: string; text: string }

type MarkdownOptions = Readonly<{
  /** The target of a link; by default as in the text. Null removes the link. */
  linkOf?: (target: string) => string | null
  /** Added to the level of every heading. */
  deeper?: number
}>

/** A whole text. */
export function markdown(text: string, options: MarkdownOptions = {}): { body: Html; headings: Heading[] } {
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

/** A short text without blocks, such as the description of a field. */
export function inlineMarkdown(text: string): Html {
  return raw(plain.parseInline(text.replaceAll('\n', ' ')) as string)
}

/** Lets a long name break after each word, and a hash after every 16 digits, because the columns of a phone are narrow. */
export function breakable(name: string): Html {
  const words = name.split(/(?<=[_./-])(?=\w{3})/)
  return joined(
    words.flatMap((word) => (word.length > 32 ? (word.match(/.{1,16}/gsu) ?? []) : [word])),
    raw('<wbr />'),
  )
}

/** The same anchors as on GitHub. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** After the backticks come the language and, if the code is from a file, its path. */
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
      // Wide tables and code scroll on their own, also by keyboard.
      code: (token) => codeView([codeBlock(token)]).markup,
      table(token) {
        isInTable = true
        const row = (cells: Tokens.TableCell[], tag: 'td' | 'th') =>
          cells.map((cell) => {
            const inner = this.parser.parseInline(cell.tokens)
            // An empty heading is not a heading.
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

/** `language`: as after the three backticks, such as `ts` or `bash`. `file`: the source of the code. */
type CodeBlock = { language: string; text: string; file?: string }

const aliases: Readonly<Record<string, string>> = { bash: 'curl', sh: 'curl', typescript: 'ts', py: 'python' }
const names: Readonly<Record<string, string>> = { ...sampleLanguages, js: 'JavaScript' }

/** The block; or several with buttons, of which a script shows one. Without scripts all are visible, one below the other. */
export function codeView(blocks: readonly CodeBlock[]): Html {
  const [only] = blocks
  if (blocks.length === 1 && only !== undefined) return preformatted(only.text)
  const own = blocks.map((block) => ({ ...block, language: aliases[block.language] ?? block.language }))
  return html`<div class="code">
    <div class="languages" role="group" aria-label="Language" hidden>
      ${own.map(
        ({ language }) =>
          html`<button type="button" data-language="${language}">${names[language] ?? language}</button>`,
      )}
    </div>
    ${own.map(
      ({ language, text, file }) =>
        html`<div data-language="${language}">
          <p class="language">${names[language] ?? language}</p>
          ${file !== undefined && html`<p class="file"><code>${file}</code></p>`}${preformatted(text)}
        </div>`,
    )}
  </div>`
}

/** Focusable, because wide code scrolls. */
function preformatted(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`
}
