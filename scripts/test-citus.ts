/**
 * `npm run test:citus`: runs all tests on Citus, or the test files named after `--`. TEST_CITUS_URL is the coordinator's URL with a
 * superuser, such as `postgres://postgres@127.0.0.1:7700/postgres`. The worker nodes are the ones registered in that database; if there are
 * none, those in TEST_CITUS_WORKERS (`host:port,…`); without that, the next two ports of the same host. Each test file gets its own
 * database on all nodes (test/support/database/citus.ts).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const { TEST_CITUS_URL: url = '' } = process.env
if (url === '') {
  process.stderr.write(
    'TEST_CITUS_URL is missing: the coordinator, such as postgres://postgres@127.0.0.1:7700/postgres\n',
  )
  process.exit(1)
}
const runner = join(import.meta.dirname, 'test.ts')
const tests = spawn(process.execPath, [runner, ...process.argv.slice(2)], { stdio: 'inherit' })
const [code] = (await once(tests, 'exit')) as [number | null]
process.exitCode = code ?? 1
