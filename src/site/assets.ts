/**
 * What the public pages load: a stylesheet, the gallery's script, two fonts and an icon. Nothing comes from elsewhere.
 */
import { readFileSync } from 'node:fs'
import { type Assets, openAssets } from '../web/assets.ts'
import { fonts, sharedStyle } from '../web/design.ts'

export function openSiteAssets(): Assets {
  const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url))
  return openAssets('/site', {
    ...fonts,
    'style.css': Buffer.concat([sharedStyle(''), read('style.css')]),
    'gallery.js': read('gallery.js'),
    'icon.svg': read('icon.svg'),
  })
}
