/** The stylesheet and the scripts of the dashboard. The files of the design become one stylesheet. */
import { readdirSync, readFileSync } from 'node:fs'
import { type Assets, openAssets } from '../../platform/web/assets.ts'
import { sharedStyle } from '../../platform/web/design.ts'
import { mapBoxStyle } from '../../platform/web/map.ts'

export function dashboardAssets(): Assets {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url))
  const design = [
    'base',
    'components',
    'forms',
    'data',
    'shell',
    'listing',
    'settings',
    'map',
    'photos',
    'work',
  ]
  const client = readdirSync(new URL('client', import.meta.url))
  return openAssets('/dashboard/assets', {
    'dashboard.css': Buffer.concat([
      sharedStyle('../../site/'),
      mapBoxStyle,
      // Sizes for fingers come last, because they override the others.
      ...[...design, 'touch'].map((name) => read(`design/${name}.css`)),
    ]),
    ...Object.fromEntries(client.map((name) => [name, read(`client/${name}`)])),
  })
}
