/** Shares a listing: links for WhatsApp and mail and, with scripts, the device's own share sheet, a copied link, and printing. */
import { html, type Html } from '../../../platform/web/html.ts'
import type { Subject } from '../agency/contact.ts'
import type { Edition } from '../frame/site.ts'
import { icon } from '../../framework/icons.ts'

export function sharePart({ words }: Edition, { title, url }: Subject): Html {
  const { share } = words
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
        ${icon('share', 'symbol')}<span aria-live="polite">${share.title}</span>
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
        >${icon('whatsapp', 'symbol')}</a
      >
    </li>
    <li>
      <a href="${mail}" data-contact="shared" aria-label="${share.email}" title="${share.email}"
        >${icon('email', 'symbol')}</a
      >
    </li>
    <li class="scripted">
      <button type="button" data-print aria-label="${share.print}" title="${share.print}">
        ${icon('print', 'symbol')}
      </button>
    </li>
  </ul>`
}
