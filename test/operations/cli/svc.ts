/** Runs the command line: in this process, which is fast, or in a separate process. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { run } from '../../../src/operations/cli/run.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { namesStatements } from '../../support/database/database.ts'
import { surroundings } from '../../support/app/server.ts'

export const program = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))

const pooled = namesStatements ? {} : { PREPARED_STATEMENTS: 'off' }

export type Result = { code: number | null; stdout: string; stderr: string }

/** `svc LINE WORD …`: the line is split at spaces, further words are not. */
export type Svc = (line: string, ...words: string[]) => Promise<Result>

/** Settings with which a command needs no data directory. */
export const nothingInDataDir = {
  DATA_DIR: '/dev/null/nowhere',
  SECRET_KEY: 'a secret of the tests, long enough',
  S3_BUCKET: 'photos',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
} as const

/** Uses these settings and no others. */
export function svcHere(settings: Readonly<Record<string, string>>): Svc {
  return async (line, ...words) => {
    const printed = { stdout: '', stderr: '' }
    const code = await run([...line.split(' '), ...words], {
      settings: async () => readConfig({ ...pooled, ...settings }),
      out: (output) => (printed.stdout += `${output}\n`),
      err: (output) => (printed.stderr += `${output}\n`),
    })
    return { code, ...printed }
  }
}

/** Runs it from a shell. */
export function svcProcess(settings: Readonly<Record<string, string>>): Svc {
  return async (line, ...words) => {
    const child = spawn(process.execPath, [program, ...line.split(' '), ...words], {
      env: { ...surroundings, ...pooled, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', (code) => resolve(code))
    })
    const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    return { code, stdout, stderr }
  }
}
