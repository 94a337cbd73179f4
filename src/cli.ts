/** The command line, `npm run -s svc -- COMMAND`: a thin layer over the domain. */
import { run } from './operations/cli/run.ts'

process.exitCode = await run(process.argv.slice(2), {
  settings: async () => (await import('./platform/config/config.ts')).configFromEnvironment(),
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
})
