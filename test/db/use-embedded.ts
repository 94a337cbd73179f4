/** A process that uses the embedded database of the data directory it is given, until its input ends. */
import { once } from 'node:events'
import { startEmbedded } from '../../src/db/embedded.ts'

const [dataDir = '', wantsServerLock] = process.argv.slice(2)
const embedded = await startEmbedded({ dataDir, log: () => {}, durable: false })
const isServer = wantsServerLock === 'server' && embedded.acquireServerLock() !== null
process.stdout.write(`${JSON.stringify({ host: embedded.connection.host, isServer })}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await embedded.release()
