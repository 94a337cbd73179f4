/** A child that responds to every message with its CPU time in seconds and its heap in megabytes, and ends with its parent. */
export function reportCpu(): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    const { heapUsed } = process.memoryUsage()
    process.send?.({ cpuSeconds: (user + system) / 1e6, heapMegabytes: heapUsed / 1_048_576 })
  })
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
