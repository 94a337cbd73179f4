/**
 * The health check of the image and of the units: whether the process is alive. Exit code 0 if it is. It uses HOST and PORT, or the URL of
 * its argument: `node deploy/health.mjs http://127.0.0.1:9090/ready`. With `--wait` it waits until the service is ready for requests, as
 * long as the process MAINPID runs.
 */
const { HOST: host = '', PORT: port = '', MAINPID: mainPid } = process.env
const [argument] = process.argv.slice(2)
const isWaiting = argument === '--wait'
const own = `http://${/^(0\.0\.0\.0|::)?$/.test(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port || 3000}`
const address = isWaiting ? `${own}/healthz/ready` : (argument ?? `${own}/api/v1/health`)

async function check() {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(4_000) })
    return response.ok ? null : `${address} answers ${response.status}`
  } catch (error) {
    return error.cause?.message || error.message
  }
}

function isMainRunning() {
  try {
    return process.kill(Number(mainPid), 0)
  } catch {
    return false
  }
}

let problem = await check()
while (problem !== null && isWaiting && isMainRunning()) {
  await new Promise((resolve) => setTimeout(resolve, 200))
  problem = await check()
}
if (problem !== null) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}
