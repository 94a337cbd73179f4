/**
 * Sends events to the marketplace: only to the URL that the operator set, which may be internal. It follows no redirects, verifies
 * certificates, ignores proxy settings, and limits the time of a response.
 */
import { createHmac } from 'node:crypto'
import { Agent, fetch, type Response } from 'undici'
import { DeliveryFailure, inOneLine, type Why } from '../failure.ts'
import { userAgentOf } from '../../../platform/outside/outside-service.ts'
import { retryAfterMs } from '../../../platform/outside/retry-after.ts'
import { signingBytes } from '../../../platform/config/values.ts'

export type Marketplace = Readonly<{
  /** Posts a signed event once. @returns the status, 200 to 299. @throws DeliveryFailure */
  send: (id: string, body: string, seconds: number) => Promise<number>
  /** Checks that the URL answers, without sending an event. @returns the status. @throws DeliveryFailure */
  check: () => Promise<number>
  close: () => Promise<void>
}>

type MarketplaceOptions = {
  url: string
  secret: string
  serviceName: string
  /** The contact that the marketplace sees. */
  publicBaseUrl: string
  /** From connecting to the last byte that is read. Ends before the channel's attempt does (start-due.ts). */
  timeoutMs?: number
}

/** `begins`: the beginning of a refusal as one line. */
type Received = Pick<Response, 'status' | 'headers'> & { begins: string }

const defaultTimeoutMs = 10_000
/** The part of a response that is read, to show the operator the error. */
const readBytes = 2_048

/** Reuses connections. */
export function openMarketplace(options: MarketplaceOptions): Marketplace {
  const { url, timeoutMs = defaultTimeoutMs } = options
  const secret = signingBytes(options.secret)
  if (secret === null) throw new Error('the secret of the marketplace cannot be used')
  const agent = new Agent({ allowH2: false, connect: { timeout: timeoutMs }, connections: 16 })
  const ownHeaders = { 'user-agent': userAgentOf(options, 'changes') }

  /** Not `exchangeWithin`, because the operator reads the reason in either language, with the marketplace's own words. */
  const exchange = async (
    init: Readonly<{ method: string; headers: Record<string, string>; body?: string }>,
  ): Promise<Received> => {
    const tooLong = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', dispatcher: agent, signal: tooLong })
      const { status, headers } = response
      return { status, headers, begins: await readBeginning(response) }
    } catch (error) {
      const why: Why = tooLong.aborted
        ? { kind: 'silent', seconds: timeoutMs / 1_000 }
        : { kind: 'unreachable', said: reason(error) }
      throw new DeliveryFailure(why, { cause: error })
    }
  }

  return {
    async send(id, body, seconds) {
      const signature = signatureHeaders(secret, id, seconds, body)
      const headers = { ...ownHeaders, 'content-type': 'application/json', ...signature }
      const received = await exchange({ method: 'POST', headers, body })
      if (received.status >= 200 && received.status <= 299) return received.status
      throw refusalOf(received)
    },
    async check() {
      return (await exchange({ method: 'HEAD', headers: ownHeaders })).status
    },
    close: () => agent.close(),
  }
}

/** The headers of Standard Webhooks: HMAC-SHA256 over id, timestamp and body (https://www.standardwebhooks.com). */
function signatureHeaders(secret: Buffer, id: string, seconds: number, body: string): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}

function refusalOf({ status, headers, begins }: Received): DeliveryFailure {
  if (status >= 300 && status <= 399) return new DeliveryFailure({ kind: 'redirected', status })
  const said = begins === '' ? null : begins
  const pauseMs = retryAfterMs((name) => headers.get(name)) ?? 0
  return new DeliveryFailure({ kind: 'refused', status, said }, { pauseMs })
}

/** The beginning of a refusal as one line. The body of a success is not read. */
async function readBeginning(response: Response): Promise<string> {
  if (response.ok) {
    await response.body?.cancel()
    return ''
  }
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    length += piece.length
    if (length >= readBytes) break
  }
  return inOneLine(Buffer.concat(pieces).subarray(0, readBytes).toString('utf8'), 200)
}

function reason(error: unknown): string | null {
  const { cause } = error as { cause?: { code?: unknown; message?: unknown } }
  const known = cause?.code ?? cause?.message
  return typeof known === 'string' ? inOneLine(known, 200) : null
}
