/**
 * The image's health check: asks the process whether it lives. Exit code 0 if it does. The port is the one it was told to listen on, or
 * the address may be given: `node deploy/health.mjs http://127.0.0.1:9090/ready`.
 */
const address = process.argv[2] ?? `http://127.0.0.1:${process.env.PORT || 3000}/api/v1/health`
try {
  const answer = await fetch(address, { signal: AbortSignal.timeout(4_000) })
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
} catch (error) {
  process.stderr.write(`${error.cause?.message || error.message}\n`)
  process.exitCode = 1
}
