/** A minimal name server on the loopback: it knows a few names, returns NXDOMAIN for others, and never answers for some. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

/** The records of a name: its addresses of both kinds, or `silent` for no answer. */
export type Zone = Record<string, readonly string[] | 'silent'>

export type DnsServer = {
  /** `address:port` */
  host: string
  /** Questions in order: `A photos.example`. */
  asked: string[]
  close(): Promise<void>
}

const kinds: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' }

/** @param zone may change; a name may be prefixed by its kind, `AAAA photos.example`, and `*` matches all others */
export async function serveDns(zone: Zone, address = '127.0.0.1', port = 0): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (question, from) => {
    const { name, kind, end } = readQuestion(question)
    asked.push(`${kind} ${name}`)
    const known = zone[`${kind} ${name}`] ?? zone[name] ?? zone['*']
    if (known === 'silent') return
    const wanted = (known ?? []).filter((one) => (isIP(one) === 4 ? 'A' : 'AAAA') === kind)
    const answers = wanted.map((one) => record(one))
    const header = Buffer.from(question.subarray(0, 12))
    // A response with recursion available; NXDOMAIN for an unknown name.
    header.writeUInt16BE(0x8180 + (known === undefined ? 3 : 0), 2)
    header.writeUInt16BE(answers.length, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, question.subarray(12, end), ...answers]), from.port, from.address)
  })
  socket.bind(port, address)
  await once(socket, 'listening')
  return {
    host: `${address}:${socket.address().port}`,
    asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readQuestion(question: Buffer): { name: string; kind: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    kind: kinds[question.readUInt16BE(at + 1)] ?? '?',
    end: at + 5,
  }
}

/** An answer for the name in the question, with a TTL of one minute. */
function record(address: string): Buffer {
  const isFour = isIP(address) === 4
  const data = isFour ? Buffer.from(address.split('.').map(Number)) : sixBytes(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(isFour ? 1 : 28, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function sixBytes(address: string): Buffer {
  const [start = '', end = ''] = address.split('::')
  const words = (part: string) => (part === '' ? [] : part.split(':'))
  const [first, last] = [words(start), words(end)]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  const all = [...first, ...(address.includes('::') ? zeros : []), ...last]
  return Buffer.from(all.map((word) => word.padStart(4, '0')).join(''), 'hex')
}
