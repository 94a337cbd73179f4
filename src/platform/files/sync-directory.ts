/** Makes new, renamed and deleted entries of a directory durable: a crash of the machine could otherwise undo them. */
import { open } from 'node:fs/promises'

export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
