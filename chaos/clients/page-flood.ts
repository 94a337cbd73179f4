/**
 * A flood of requests for public pages, run in a separate process so that it takes no time from the measuring one. Its only argument is
 * a `Flood` as JSON. It continues until its standard input ends, and then prints the number of responses by status.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

type Flood = {
  /** Paths requested in turn; `{n}` is replaced by the number of the request. */
  urls: readonly string[]
  /** The number of loopback addresses that send the requests, in turn: 127.0.0.2, 127.0.0.3 and so on. */
  addresses: number
  /** The number of clients, each with one request at a time. */
  atOnce: number
  /** The mean pause between a response and the client's next request, so that no attack merely tests how fast rejections are. */
  pauseMs: number
}

/** The number of responses by status; `failed` counts requests without a response. */
export type Tally = Record<string, number>

/** Starts the flood. @returns a function that ends it */
export async function startFlood(flood: Flood): Promise<() => Promise<Tally>> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(flood)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdin, stdout } = child
  // Its startup is not part of the attack.
  await once(stdout, 'readable')
  return async () => {
    stdin.end()
    return JSON.parse(await text(stdout)) as Tally
  }
}

/** @returns the status, once the whole response has been read */
function get(url: string, localAddress: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const headers = {
      accept: 'text/html',
      'accept-encoding': 'gzip',
      'user-agent': 'Flood/1.0 (flood@example.com)',
    }
    request(url, { localAddress, headers, signal }, (response) => {
      response.resume()
      response.on('end', () => resolve(String(response.statusCode)))
      response.on('error', () => resolve('failed'))
    })
      .on('error', () => resolve('failed'))
      .end()
  })
}

async function run({ urls, addresses, atOnce, pauseMs }: Flood): Promise<Tally> {
  const ending = new AbortController()
  process.stdin.on('end', () => ending.abort()).resume()
  const tally: Tally = {}
  let turn = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (!ending.signal.aborted) {
        turn += 1
        const url = (urls[turn % urls.length] as string).replace('{n}', String(turn))
        const status = await get(url, `127.0.0.${2 + (turn % addresses)}`, ending.signal)
        if (ending.signal.aborted) return
        tally[status] = (tally[status] ?? 0) + 1
        await delay(2 * pauseMs * Math.random(), undefined, { signal: ending.signal }).catch(() => {})
      }
    }),
  )
  return tally
}

if (import.meta.main) {
  console.log()
  console.log(JSON.stringify(await run(JSON.parse(String(process.argv[2])) as Flood)))
}
