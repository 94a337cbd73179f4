/** `doctor`: checks each component on its own, so that one run shows every problem. */
import type { Config } from '../../../platform/config/config.ts'
import { needsDataDir, openDataDir } from '../../../platform/config/data-dir.ts'
import { type Context, describeError, type Input, type Output } from '../command.ts'
import { table } from '../output.ts'
import { type Check, check } from './check.ts'
import { checkDatabase, describeReplica } from './database.ts'
import { describeDisk } from './disk.ts'
import { checkServices } from './services.ts'
import { describeInForce, settingsInForce } from './settings.ts'

export const doctor = async (_input: Input, context: Context): Promise<Output> => {
  const config = await readSettings(context)
  const checks =
    typeof config === 'string'
      ? [{ name: 'settings', ok: false, detail: config }]
      : await checkAll(config, context)
  const wrong = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  const inForce = typeof config === 'string' ? null : settingsInForce(config)
  return {
    json: { ok: wrong.length === 0, checks, ...inForce },
    text: [checksTable(checks), ...(inForce === null ? [] : describeInForce(inForce))].join('\n\n'),
    ...(wrong.length === 0 ? {} : { failure: `Not working: ${wrong.join(', ')}.` }),
  }
}

function checksTable(checks: readonly Check[]): string {
  const rows = checks.map(({ name, ok, warning, detail }) => [
    ok ? (warning === true ? 'warning' : 'ok') : 'WRONG',
    name,
    detail,
  ])
  return table(['', 'CHECK', 'RESULT'], rows, '')
}

/** The settings, or their first problem. */
async function readSettings({ settings }: Context): Promise<Config | string> {
  try {
    return await settings()
  } catch (error) {
    return describeError(error)
  }
}

async function checkAll(config: Config, { note }: Context): Promise<Check[]> {
  const detail = config.production ? 'for production' : 'for development'
  const settings = { name: 'settings', ok: true, detail }
  const isOnDisk = needsDataDir(config)
  try {
    if (isOnDisk) openDataDir(config.dataDir)
  } catch (error) {
    // Without it, its contents cannot be checked.
    return [settings, { name: 'data directory', ok: false, detail: describeError(error) }]
  }
  return [
    settings,
    ...(isOnDisk ? [await check('disk', () => describeDisk(config.dataDir))] : []),
    ...(await checkDatabase(config, note)),
    ...(config.databaseReadUrl === null ? [] : [await check('replica', () => describeReplica(config))]),
    ...(await checkServices(config)),
  ]
}
