/**
 * The files that public pages load. Nothing comes from another origin.
 */
import { readFileSync } from 'node:fs'
import { type Assets, openAssets } from '../../platform/web/assets.ts'
import { fontFolder, fonts, sharedStyle } from '../../platform/web/design.ts'
import { mapBoxStyle } from '../../platform/web/map.ts'

export function openSiteAssets(): Assets {
  const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url))
  return openAssets(fontFolder, {
    ...fonts,
    'style.css': Buffer.concat([
      sharedStyle(''),
      mapBoxStyle,
      ...['style.css', 'search.css', 'listing.css', 'maps.css'].map(read),
    ]),
    'first.js': read('first.js'),
    'gallery.js': read('gallery.js'),
    'search.js': read('search.js'),
    'share.js': read('share.js'),
    'enquiry.css': read('enquiry.css'),
    'contact.js': read('contact.js'),
    'listings-map.js': read('listings-map.js'),
    'icon.svg': read('icon.svg'),
    'preview.jpg': read('preview.jpg'),
  })
}
