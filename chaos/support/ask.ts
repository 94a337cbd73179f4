/** Requests to a service that may be killed during them. */
export type Write = { method: string; path: string; body?: unknown; idempotencyKey?: string }

export type ApiResponse = {
  status: number
  replayed: boolean
  etag: string | null
  retryAfter: string | null
  text: string
  body: Body
}

type Body = { data: Record<string, unknown>; error: { code: string } } & Record<string, unknown>

/** Sends a request to `/api/v1` + path. @returns null without a complete response, in which case the outcome is unknown */
export async function ask(
  url: string,
  key: string,
  { method, path, body, idempotencyKey }: Write,
): Promise<ApiResponse | null> {
  try {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': key,
        'user-agent': 'Chaos/1.0 (chaos@example.com)',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    return {
      status: response.status,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      etag: response.headers.get('etag'),
      retryAfter: response.headers.get('retry-after'),
      text,
      body: JSON.parse(text) as Body,
    }
  } catch {
    return null
  }
}
