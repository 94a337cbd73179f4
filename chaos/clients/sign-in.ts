/** Requests from any IP of the loopback, and signing in to the dashboard with them. */
import { Agent, request } from 'node:http'

export type SignInResponse = {
  status: number
  ms: number
  text: string
  headers: NodeJS.Dict<string | string[]>
}
/** A browser's state after loading the sign-in page. */
export type SignInForm = { cookie: string; csrf: string }
export type CrowdOrder = {
  url: string
  form: SignInForm
  networks: number
  /** Guesses per network. */
  guesses: number
  /** The seconds over which they are spread. */
  seconds: number
}

const agents = new Map<string, Agent>()

/** Sends a request and reads the whole response. @param form is sent as a browser does; null: GET */
export function askFrom(
  url: string,
  from: string,
  headers: Record<string, string> = {},
  form: Record<string, string> | null = null,
): Promise<SignInResponse> {
  const agent = agents.get(from) ?? new Agent({ keepAlive: true, localAddress: from })
  agents.set(from, agent)
  const sentAt = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      agent,
      localAddress: from,
      method: form === null ? 'GET' : 'POST',
      headers: {
        'user-agent': 'Chaos/1.0 (chaos@example.com)',
        ...(form !== null && {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(url).origin,
        }),
        ...headers,
      },
    })
    asked.once('error', reject)
    asked.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => (text += piece))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          ms: performance.now() - sentAt,
          text,
          headers: response.headers,
        }),
      )
    })
    asked.end(form === null ? undefined : new URLSearchParams(form).toString())
  })
}

export async function openSignIn(url: string): Promise<SignInForm> {
  const { text, headers } = await askFrom(`${url}/dashboard/sign-in`, '127.0.0.1')
  const cookie = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';', 1)[0])
  return { cookie: cookie.join('; '), csrf: /name="_csrf"\s+value="([^"]+)"/.exec(text)?.[1] ?? '' }
}

export function postSignIn(
  url: string,
  { cookie, csrf }: SignInForm,
  from: string,
  email: string,
  password: string,
): Promise<SignInResponse> {
  return askFrom(`${url}/dashboard/sign-in`, from, { cookie }, { _csrf: csrf, email, password })
}
