/** The icons of all pages, as paths on a 24 × 24 grid. They are decoration: the text beside them says the same. */
import { type Html, raw } from '../../platform/web/html.ts'

const paths = {
  home: 'M3 11.5 12 4l9 7.5M5.5 10v10h13V10M10 20v-6h4v6',
  listings: 'M4 21V5.5L13 3v18M13 8.5l7 2V21M2.5 21h19M7.5 9h2M7.5 13h2M7.5 17h2M16.5 14h0.5M16.5 17.5h0.5',
  keys: 'M14.5 9.5a5 5 0 1 0-4.6 5L11 13.5h2.5V11h2.3zM15 13l6 6v2.5h-3.5V19H15v-2.5h-2',
  usage: 'M4 20V4M4 20h17M8.5 16v-4.5M13 16V7M17.5 16v-6.5',
  test: 'M9 3.500h6M10 3.500v6L4.700 18.300A1.700 1.700 0 0 0 6.200 21h11.600a1.700 1.700 0 0 0 1.500-2.700L14 9.500v-6M7.500 15h9',
  people:
    'M9 11.5a3.7 3.7 0 1 0 0-7.4 3.7 3.7 0 0 0 0 7.4M2.5 20c.4-3.6 3-5.7 6.5-5.7s6.1 2.100 6.500 5.700M16 4.600a3.400 3.400 0 0 1 0 6.500M18 14.600c2.100.8 3.300 2.700 3.500 5.400',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5M9 19.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5',
  agencies: 'M3.5 21h17M5 21V9.500M19 21V9.500M3 9.500 5 3.500h14l2 6zM9.500 21v-6h5v6',
  notifications:
    'M6 16.500V11a6 6 0 0 1 12 0v5.500l1.800 1.800H4.200zM9.800 20.500a2.300 2.300 0 0 0 4.400 0',
  health: 'M2.500 12.500H7l2.500-7 4.500 13 2.500-6h5',
  audit: 'M6 3.500h9l3.500 3.500v13.500H6zM15 3.500V7h3.500M9 11.500h6.500M9 15.500h6.500',
  docs: 'M4 5.500c3-1.500 6-1 8 .5 2-1.500 5-2 8-.5v13.500c-3-1.500-6-1-8 .5-2-1.500-5-2-8-.5zM12 6v13.500',
  check: 'M4.500 12.500 10 18 19.500 7',
  cross: 'M6 6l12 12M18 6 6 18',
  alert: 'M12 8.500v4.500M12 16.500v.2M12 3 2.500 20h19z',
  info: 'M12 11v5.500M12 7.500v.2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18',
  plus: 'M12 5v14M5 12h14',
  edit: 'M4 20h4L19.500 8.500l-4-4L4 16zM13 7l4 4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  photo: 'M3.500 5h17v14h-17zM3.500 16l5-5 4 4 3-2.500 5 4M15.500 9.500v.1',
  camera:
    'M4 7.500h3.500l1.500-2.500h6l1.500 2.500H20v11.500H4zM12 16.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7',
  upload: 'M12 16V4.500M7.500 9 12 4.500 16.500 9M4.500 15.500v4h15v-4',
  before: 'M19.500 12h-15M10.500 6l-6 6 6 6',
  after: 'M4.500 12h15M13.500 6l6 6-6 6',
  star: 'M12 3.500l2.600 5.600 6 .7-4.500 4.100 1.200 6L12 16.900l-5.300 3 1.200-6-4.500-4.100 6-.7z',
  bin: 'M4.500 7h15M9.500 7V4h5v3M6.500 7l1 13h9l1-13M10.500 11v5.500M13.500 11v5.500',
  grip: 'M9 6.500v.1M15 6.500v.1M9 12v.1M15 12v.1M9 17.500v.1M15 17.500v.1',
  pin: 'M12 21.500c4.500-5 6.500-8.500 6.500-11.500a6.500 6.500 0 0 0-13 0c0 3 2 6.500 6.500 11.500M12 12a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13M15.500 15.500 21 21',
  out: 'M14 4H5v16h9M10 12h11M17.500 8.500 21 12l-3.500 3.500',
  grid: 'M4 4h6.500v6.500H4zM13.500 4H20v6.500h-6.500zM4 13.500h6.500V20H4zM13.500 13.500H20V20h-6.500z',
  rows: 'M4 6h16M4 12h16M4 18h16',
  rotate: 'M20 12a8 8 0 1 1-2.500-5.800M20 3.500V8h-4.500',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  lock: 'M5.500 10.500h13V20h-13zM8.500 10.500V8a3.500 3.500 0 0 1 7 0v2.500',
  share: 'M12 15V4M8 7.5 12 3.5l4 4M6 11H5v9h14v-9h-1',
  whatsapp:
    'M4 20l1.2-4A8 8 0 1 1 8.2 19L4 20ZM9 8.5c0 3.5 3 6.5 6.5 6.5l.9-1.7-2.2-1.1-.9.9a6 6 0 0 1-2.5-2.5l.9-.9L9.6 7.6 9 8.5Z',
  email: 'M3.5 6h17v12h-17zM4 6.5l8 6.5 8-6.5',
  phone: 'M7 4H4.5c0 8.6 6.9 15.5 15.5 15.5V17l-4-1.5-2 2a12 12 0 0 1-7-7l2-2Z',
  message: 'M4 5h16v11.5H9.5L5 20v-3.5H4z',
  print: 'M7 8.5V4h10v4.5M7 17H4V8.5h16V17h-3M7 14h10v6H7z',
} as const

export type IconName = keyof typeof paths

/** @param className a class whose style draws the lines; by default, the icon has that style itself */
export function icon(name: IconName, className?: string): Html {
  const look =
    className === undefined
      ? 'fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"'
      : `class="${className}"`
  return raw(`<svg ${look} viewBox="0 0 24 24" aria-hidden="true"><path d="${paths[name]}"/></svg>`)
}

/** The service's mark: a house that is also a key's bow. */
export const mark: Html = raw(
  '<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="9" fill="#1f6b58"/><path d="M7 16.500 16 8.500l9 8M10 14.500V24h12v-9.500" fill="none" stroke="#fff" stroke-width="2.400" stroke-linecap="round" stroke-linejoin="round"/><circle cx="16" cy="18.500" r="2.600" fill="#f3a77a"/></svg>',
)
