/** A child that answers every message with the CPU time it has used, in seconds, and ends with its parent. */
export function tellCpu(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuSeconds: (user + system) / 1e6 })
  })
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
