/**
 * Code on a page: one block, or the same thing in several languages, of which the reader's is shown.
 */
import { html, type Html } from '../../../platform/web/html.ts'
import { sampleLanguages } from '../../../platform/web/request-samples.ts'

/**
 * @param language as after the three backticks: `ts`, `php`, `python`, `bash`, `json`
 * @param file where the code comes from
 */
export type CodeBlock = { language: string; text: string; file?: string }

const aliases: Readonly<Record<string, string>> = { bash: 'curl', sh: 'curl', typescript: 'ts', py: 'python' }
const names: Readonly<Record<string, string>> = { ...sampleLanguages, js: 'JavaScript' }

/** The block; or several with buttons, of which a script shows one. Without scripts all are there, one below the other. */
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

/** Reachable by keyboard, because wide code scrolls. */
function preformatted(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`
}
