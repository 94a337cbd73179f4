/** `support-bundle`: one archive for diagnosing an installation, without secrets. */
import { createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import type { Config } from '../../../platform/config/config.ts'
import { usableMemory } from '../../../platform/db/embedded/postmaster.ts'
import { hasCode, messageOf } from '../../../platform/errors/errors.ts'
import { version } from '../../../platform/program/version.ts'
import { CommandError, type Run } from '../command.ts'
import { doctor } from '../doctor/doctor.ts'
import { withConnection } from '../open.ts'
import { fields } from '../output.ts'
import { collect, readDatabase } from './database.ts'
import { redactor } from './redact.ts'

export const supportBundle: Run = async (input, context) => {
  const config = await context.settings()
  const at = new Date()
  const name = `listings-support-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz`
  const file = resolve(input.optional('to') ?? name)
  const redact = await redactor(config)
  const checked = await doctor(input, context)
  const parts: Readonly<Record<string, string>> = {
    'about.json': json({ at: at.toISOString(), version, node: process.version, platform: platform() }),
    'doctor.json': json(checked.json),
    'database.json': json(await collect(() => withConnection(config, context.note, readDatabase))),
    'metrics.txt': await metricsText(config),
  }
  await write(
    file,
    Object.entries(parts).map(([part, text]) => [part, redact(text)] as const),
    at,
  )
  const { size: bytes } = await stat(file)
  return {
    json: { file, bytes, parts: Object.keys(parts) },
    text: fields([
      ['file', file],
      ['bytes', String(bytes)],
      ['contains', Object.keys(parts).join(', ')],
    ]),
  }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

function platform() {
  const { platform: system, arch } = process
  return { system, arch, memory_bytes: usableMemory() }
}

const metricsMs = 5_000

/** The metrics of the service that runs with these settings. */
async function metricsText({ host, metricsPort }: Config): Promise<string> {
  if (metricsPort === null) return 'METRICS_PORT is not set.\n'
  const at = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  try {
    const response = await fetch(`http://${at}:${metricsPort}/metrics`, {
      signal: AbortSignal.timeout(metricsMs),
    })
    return await response.text()
  } catch (error) {
    return `METRICS_PORT does not answer: ${messageOf(error)}\n`
  }
}

type Part = readonly [name: string, text: string]

/** Writes the archive. @throws CommandError if the file exists; then it is left alone */
async function write(file: string, parts: readonly Part[], at: Date): Promise<void> {
  const tar = pack()
  for (const [name, text] of parts) tar.entry({ name, mode: 0o600, mtime: at }, text)
  tar.finalize()
  const out = createWriteStream(file, { mode: 0o600, flags: 'wx' })
  try {
    await pipeline(tar, createGzip(), out)
  } catch (error) {
    if (hasCode(error, 'EEXIST'))
      throw new CommandError(`${file} exists already: name another file with --to.`)
    await rm(file, { force: true })
    throw error
  }
}
