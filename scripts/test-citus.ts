/**
 * `npm run test:citus`: the tests on Citus; words after `--` are test files instead of all. TEST_CITUS_URL is the coordinator, as a
 * superuser: `postgres://postgres@127.0.0.1:7700/postgres`. The workers are those that its database knows, else TEST_CITUS_WORKERS
 * (`host:port,…`), else the two next ports of the same host. Each test file has a database of its own on all nodes (test/support/citus.ts).
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
