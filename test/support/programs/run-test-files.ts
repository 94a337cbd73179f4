/** Runs a runner of scripts/ on a folder of test files, as from the command line. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { surroundings } from '../app/server.ts'

/** @param runner a file of scripts/ @param files their contents by path @returns the exit code and both outputs */
export async function runTestFiles(
  runner: string,
  files: Readonly<Record<string, string>>,
): Promise<{ code: number | null; out: string; err: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'listings-runner-'))
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    const program = join(import.meta.dirname, '../../../scripts', runner)
    const child = spawn(process.execPath, [program, folder], {
      env: surroundings as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<number | null>((resolve) => {
      child.once('close', resolve)
    })
    const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
    return { code, out, err }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
