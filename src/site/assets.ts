/**
 * What the public pages load: a stylesheet, the gallery's script, two fonts and an icon. Nothing comes from elsewhere.
 */
import { readFileSync } from 'node:fs'
import { type Assets, hashedName, openAssets } from '../web/assets.ts'

export function openSiteAssets(): Assets {
  const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url))
  const font = (path: string) => readFileSync(new URL(import.meta.resolve(path)))
  const fonts = {
    'figtree.woff2': font('@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'),
    'fraunces.woff2': font('@fontsource/fraunces/files/fraunces-latin-600-normal.woff2'),
  }
  let style = read('style.css').toString()
  // Relative to the stylesheet, so that it works behind a proxy that adds a path.
  for (const [name, content] of Object.entries(fonts)) style = style.replace(name, hashedName(name, content))
  return openAssets('/site', {
    ...fonts,
    'style.css': Buffer.from(style),
    'gallery.js': read('gallery.js'),
    'icon.svg': read('icon.svg'),
  })
}
