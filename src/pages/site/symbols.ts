/**
 * Small drawings of lines beside what they stand for.
 */
import { html, type Html, raw } from '../../platform/web/html.ts'

/** Paths in 24 × 24. */
const paths = {
  share: 'M12 15V4M8 7.5 12 3.5l4 4M6 11H5v9h14v-9h-1',
  whatsapp:
    'M4 20l1.2-4A8 8 0 1 1 8.2 19L4 20ZM9 8.5c0 3.5 3 6.5 6.5 6.5l.9-1.7-2.2-1.1-.9.9a6 6 0 0 1-2.5-2.5l.9-.9L9.6 7.6 9 8.5Z',
  email: 'M3.5 6h17v12h-17zM4 6.5l8 6.5 8-6.5',
  phone: 'M7 4H4.5c0 8.6 6.9 15.5 15.5 15.5V17l-4-1.5-2 2a12 12 0 0 1-7-7l2-2Z',
  message: 'M4 5h16v11.5H9.5L5 20v-3.5H4z',
  print: 'M7 8.5V4h10v4.5M7 17H4V8.5h16V17h-3M7 14h10v6H7z',
} as const

export type SymbolName = keyof typeof paths

export function symbol(name: SymbolName): Html {
  return html`<svg class="symbol" viewBox="0 0 24 24" aria-hidden="true">
    <path d="${raw(paths[name])}" />
  </svg>`
}
