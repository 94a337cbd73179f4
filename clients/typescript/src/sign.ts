/**
 * Signs requests for keys that require it, with WebCrypto. A signature is valid once, so every attempt needs a new one.
 */

/** The result type of TextEncoder: a generic type from TypeScript 5.7 on, a plain one before. */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>['encode']>

export type Signer = {
  /** @param target path and query as they are sent */
  headers(method: string, target: string, body: Bytes): Promise<Record<string, string>>
  /** Takes over the service's clock if this machine's is far from it. @returns whether it is; false for NaN */
  adjustTo(serviceTimeMs: number): boolean
}

/** Signatures are valid for 300 seconds; a clock this far off is worth correcting. */
const toleratedMs = 60_000

/** @param serviceName the one in the names of the headers: `Svc` in `X-Svc-Signature` */
export function newSigner(secret: string, serviceName: string, now: () => number = Date.now): Signer {
  let key: ReturnType<typeof importKey> | null = null
  let offsetMs = 0
  let lastMs = 0
  return {
    async headers(method, target, body) {
      key ??= importKey(secret)
      // Two equal requests within a millisecond would have the same signature.
      lastMs = Math.max(now() + offsetMs, lastMs + 1)
      const timestamp = String(lastMs)
      const bodyHash = hex(await crypto.subtle.digest('SHA-256', body))
      const text = [timestamp, method, target, bodyHash].join('\n')
      const signature = hex(await crypto.subtle.sign('HMAC', await key, bytesOf(text)))
      return {
        [`x-${serviceName.toLowerCase()}-timestamp`]: timestamp,
        [`x-${serviceName.toLowerCase()}-signature`]: `v1=${signature}`,
      }
    },
    adjustTo(serviceTimeMs) {
      if (!(Math.abs(serviceTimeMs - now() - offsetMs) > toleratedMs)) return false
      offsetMs = serviceTimeMs - now()
      lastMs = 0
      return true
    },
  }
}

function importKey(secret: string) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytesOf(secret), algorithm, false, ['sign'])
}

export function bytesOf(text: string): Bytes {
  return new TextEncoder().encode(text)
}

function hex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
