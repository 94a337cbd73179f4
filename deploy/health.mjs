/**
 * The image's health check: checks that the process is alive. Exit code 0 if it does. It uses PORT, or the URL of
 * its argument: `node deploy/health.mjs http://127.0.0.1:9090/ready`.
 */
const address = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}/api/v1/health`
try {
  const answer = await fetch(address, { signal: AbortSignal.timeout(4_000) })
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
} catch (error) {
  process.stderr.write(`${error.cause?.message || error.message}\n`)
  process.exitCode = 1
}
