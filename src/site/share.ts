/**
 * Passing a listing on: by WhatsApp and mail, which are links, and where scripts run by the device's own sheet, as a copied link or
 * on paper.
 */
import { html, type Html, raw } from '../web/html.ts'
import type { Subject } from './contact.ts'
import type { Edition } from './site.ts'

/** Paths of 24 × 24 symbols. */
const symbols = {
  share: 'M12 15V4M8 7.5 12 3.5l4 4M6 11H5v9h14v-9h-1',
  whatsApp:
    'M4 20l1.2-4A8 8 0 1 1 8.2 19L4 20ZM9 8.5c0 3.5 3 6.5 6.5 6.5l.9-1.7-2.2-1.1-.9.9a6 6 0 0 1-2.5-2.5l.9-.9L10.600 7.600 9 8.500Z',
  email: 'M3.500 6h17v12h-17zM4 6.500l8 6.500 8-6.500',
  print: 'M7 8.500V4h10v4.500M7 17H4V8.500h16V17h-3M7 14h10v6H7z',
} as const

export function sharePart({ words }: Edition, { title, url }: Subject): Html {
  const { share } = words
  const symbol = (name: keyof typeof symbols) =>
    html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${raw(symbols[name])}" /></svg>`
  const text = encodeURIComponent(`${title} ${url}`)
  const mail = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(`${url}\n`)}`
  return html`<ul
    class="share"
    aria-label="${share.title}"
    data-share="${title}"
    data-url="${url}"
    data-copied="${share.copied}"
  >
    <li class="scripted">
      <button type="button" data-pass data-contact="shared">
        ${symbol('share')}<span aria-live="polite">${share.title}</span>
      </button>
    </li>
    <li>
      <a
        href="https://wa.me/?text=${text}"
        data-contact="shared"
        target="_blank"
        rel="noopener nofollow"
        aria-label="${share.whatsApp}"
        title="${share.whatsApp}"
        >${symbol('whatsApp')}</a
      >
    </li>
    <li>
      <a href="${mail}" data-contact="shared" aria-label="${share.email}" title="${share.email}"
        >${symbol('email')}</a
      >
    </li>
    <li class="scripted">
      <button type="button" data-print aria-label="${share.print}" title="${share.print}">
        ${symbol('print')}
      </button>
    </li>
  </ul>`
}
