/** nginx with the file that deploy/ ships, in front of instances on other ports. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setDefaultCACertificates } from 'node:tls'
import { freePort } from '../../test/support/network/free-port.ts'
import { selfSigned } from '../../test/support/network/self-signed.ts'

const program = [
  process.env['NGINX'] ?? '',
  '/usr/sbin/nginx',
  '/usr/bin/nginx',
  '/usr/local/bin/nginx',
].find((path) => existsSync(path))
const shipped = join(import.meta.dirname, '..', '..', 'deploy', 'nginx', 'svc.conf')

/** Why nginx cannot be run here, or false. */
export const withoutNginx: string | false =
  program === undefined ? 'nginx is not installed: apt-get install nginx' : false

type Nginx = {
  /** Over https; `fetch` trusts its certificate. */
  url: string
  /** Its log of errors: connections that were refused or broke, and where it sent their requests then. */
  log(): string
  end(): Promise<void>
}

/** @param instances URLs of the two instances */
export async function startNginx(instances: readonly string[]): Promise<Nginx> {
  const directory = mkdtempSync(join(tmpdir(), 'listings-nginx-'))
  const [port, plainPort] = [await freePort(), await freePort()]
  const { key, cert } = selfSigned('127.0.0.1')
  writeFileSync(join(directory, 'key.pem'), key)
  writeFileSync(join(directory, 'cert.pem'), cert)
  writeFileSync(
    join(directory, 'svc.conf'),
    replaceAll(readFileSync(shipped, 'utf8'), {
      'server 127.0.0.1:3001 ': `server ${new URL(instances[0] ?? '').host} `,
      'server 127.0.0.1:3002 ': `server ${new URL(instances[1] ?? '').host} `,
      'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
      'listen 80;': `listen 127.0.0.1:${plainPort};`,
      '    listen [::]:443 ssl http2;\n': '',
      '    listen [::]:80;\n': '',
      '/etc/ssl/listings.example.pem': join(directory, 'cert.pem'),
      '/etc/ssl/listings.example.key': join(directory, 'key.pem'),
    }),
  )
  writeFileSync(join(directory, 'nginx.conf'), surroundings(directory))
  setDefaultCACertificates([cert])
  const server = spawn(program ?? '', ['-c', join(directory, 'nginx.conf'), '-p', directory], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  server.stderr.on('data', (piece: Buffer) => {
    said += piece.toString()
  })
  while (!(await isListening(port))) {
    if (server.exitCode !== null) throw new Error(said)
    await delay(20)
  }
  return {
    url: `https://127.0.0.1:${port}`,
    log: () => readFileSync(join(directory, 'error.log'), 'utf8'),
    async end() {
      await stop(server)
      rmSync(directory, { recursive: true })
    },
  }
}

/** An nginx.conf like that of a distribution, with the shipped file in its place. Started by root, the workers stay root. */
function surroundings(directory: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
worker_processes 2;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 512; }
http {
  ${temporary.map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  include ${directory}/svc.conf;
}
`
}

/** @throws if the text lacks one of the parts */
function replaceAll(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((changed, [part, other]) => {
    if (!changed.includes(part)) throw new Error(`${shipped} has no "${part}"`)
    return changed.replaceAll(part, other)
  }, text)
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGTERM')
  await gone
}
