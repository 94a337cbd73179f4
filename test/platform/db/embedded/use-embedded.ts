/** A program that uses the embedded database of a given data directory until its stdin ends. */
import { once } from 'node:events'
import { startEmbedded } from '../../../../src/platform/db/embedded/embedded.ts'

const [dataDir = '', role] = process.argv.slice(2)
const isServer = role === 'server'
const embedded = await startEmbedded({ dataDir, log: () => {}, durable: false, isServer })
process.stdout.write(`${JSON.stringify({ host: embedded.connection.host })}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await embedded.release()
