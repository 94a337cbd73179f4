/**
 * The command line, `npm run -s svc -- COMMAND`: thin over the domain.
 */
import { run } from './cli/run.ts'
import { configFromEnvironment } from './config/config.ts'

process.exitCode = await run(process.argv.slice(2), {
  settings: () => configFromEnvironment(),
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
})
