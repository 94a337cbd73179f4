/**
 * Loaded into a service before its program: on SIGUSR2 every thread that performs DNS lookups waits for the writer of the pipe `HELD_BY`.
 */
import { open } from 'node:fs/promises'

process.on('SIGUSR2', () => {
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)
  for (let count = 0; count < threads; count += 1)
    void open(String(process.env['HELD_BY']), 'r').then((file) => file.close())
})
