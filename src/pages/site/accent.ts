/**
 * The colour that an agency chose, as a small stylesheet of its own: the policy of the pages allows no inline style. It is made of the
 * colour in its name alone.
 */
import { type Scheme, shadesOf } from '../../platform/web/accent.ts'
import { hashedName } from '../../platform/web/assets.ts'

/** The name holds a hash, because the shades depend on the design. @param accent `#rrggbb` */
export function accentPath(accent: string): string {
  return `/site/accent/${hashedName(`${accent.slice(1)}.css`, Buffer.from(accentStyle(accent)))}`
}

export function accentStyle(accent: string): string {
  const tokens = (scheme: Scheme) => {
    const shades = shadesOf(accent)[scheme]
    return `:root{--accent:${shades.accent};--accent-strong:${shades.accentStrong};--accent-soft:${shades.accentSoft};--on-accent:${shades.onAccent};--ring:0 0 0 3px ${shades.accent}52}`
  }
  return `${tokens('light')}@media (prefers-color-scheme:dark){${tokens('dark')}}\n`
}
