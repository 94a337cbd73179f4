/**
 * `node bench/workers.ts`: what a request costs with one process and with two, watched and not. The load shares the cores here, so
 * what counts is CPU time of all of the server's processes by request, not requests by second. What else the machine does can only add
 * to it: on a busy one the least of many short rounds says more than the median.
 */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { defaultLimits } from '../src/limits/table.ts'
import { loadData } from './data.ts'
import type { LoadReport, LoadRequest } from './load.ts'
import { canPin, cores, freePort, startChild, stopChild } from './machine.ts'
import { median } from './measure.ts'

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '2' } },
})
const secretKey = 'a secret of the benchmark, long enough'
const tell = (line: string): void => void process.stderr.write(`${line}\n`)

const variants: readonly { name: string; settings: (port: number) => Record<string, string> }[] = [
  { name: 'WORKERS=1', settings: () => ({ WORKERS: '1' }) },
  { name: 'WORKERS=1, METRICS_PORT', settings: (port) => ({ WORKERS: '1', METRICS_PORT: String(port) }) },
  { name: 'WORKERS=2', settings: () => ({ WORKERS: '2' }) },
  { name: 'WORKERS=2, METRICS_PORT', settings: (port) => ({ WORKERS: '2', METRICS_PORT: String(port) }) },
]

const dataDir = mkdtempSync(join(tmpdir(), 'listings-bench-'))
chmodSync(dataDir, 0o755)
const database = await startEmbedded({ dataDir, log: tell })
const { host = '', port: socket } = database.connection
await migrate(database.connection)
const agencies = await loadData(
  database.connection,
  { agencies: 20, listings: 500, large: 500 },
  secretKey,
  tell,
)
const wide = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, 1_000_000_000]))

const servers = []
for (const { name, settings } of variants) {
  const port = await freePort()
  // All of them on one core, so that neither has the load for a neighbour: two take turns there.
  const words = [process.execPath, 'src/server.ts']
  const pinned = canPin ? ['taskset', '-c', String(cores.server), ...words] : words
  const child = spawn(pinned[0] as string, pinned.slice(1), {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(host)}&port=${socket}`,
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      DEMO: 'off',
      GEOCODER: 'none',
      WORKER: 'off',
      LIMITS: JSON.stringify(wide),
      LOG_LEVEL: 'silent',
      ...settings(await freePort()),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const origin = `http://127.0.0.1:${port}`
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (said: Buffer) => said.includes('listens on') && resolve())
    child.once('exit', () => reject(new Error(`${name} does not start`)))
  })
  // As many for each process, so that as many requests share a statement that admits them.
  const connections = name.includes('WORKERS=2') ? 64 : 32
  servers.push({ name, child, origin, connections, cpuMs: [] as number[], perSecond: [] as number[] })
}
const load = startChild('load.ts', cores.load)
await new Promise((ready) => load.process.once('message', ready))

const requests: LoadRequest[] = agencies.flatMap(({ readKey, codes }) =>
  codes.slice(0, 10).map((code) => ({
    method: 'GET' as const,
    path: `/api/v1/properties/${code}`,
    headers: { 'x-api-key': readKey, 'user-agent': 'ListingsBench/1.0 (bench@listings.example)' },
  })),
)

for (let round = -1; round < Number(options.rounds); round += 1) {
  for (const server of servers) {
    const { origin, connections } = server
    const order = { origin, connections, requests, status: 200, unique: false }
    const before = cpuMsOf(Number(server.child.pid))
    const answer = await load.ask<{ report: LoadReport } | { failure: string }>({
      ...order,
      durationMs: Number(options.seconds) * 1000,
    })
    if ('failure' in answer) throw new Error(`${server.name}: ${answer.failure}`)
    // The first round warms up.
    if (round < 0) continue
    server.cpuMs.push((cpuMsOf(Number(server.child.pid)) - before) / answer.report.requests)
    server.perSecond.push(answer.report.requests / answer.report.seconds)
  }
}
const [first] = servers
for (const { name, cpuMs, perSecond } of servers) {
  const ratios = cpuMs.map((ms, round) => ms / (first?.cpuMs[round] ?? Number.NaN))
  console.log(
    `${name.padEnd(26)} ${median(cpuMs).toFixed(3)} ms CPU a request (least ${Math.min(...cpuMs).toFixed(3)}), ${median(ratios).toFixed(3)} of the first ` +
      `(${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}), ${Math.round(median(perSecond))} requests/s`,
  )
}
for (const { child } of servers) {
  const ended = new Promise((resolve) => {
    child.once('exit', resolve)
  })
  child.kill('SIGTERM')
  await ended
}
await stopChild(load)
await database.release()
rmSync(database.home, { recursive: true, force: true })
rmSync(dataDir, { recursive: true, force: true })

/** Of the process and its children, all threads: user and system time, in steps of 10 ms. */
function cpuMsOf(pid: number): number {
  let children: string[] = []
  try {
    children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
  } catch {
    // It has none.
  }
  return [String(pid), ...children].reduce((sum, one) => {
    const text = readFileSync(`/proc/${one}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) * 10
  }, 0)
}
