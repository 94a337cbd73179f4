/** Reads tar archives, which a disk or a person may have damaged. */
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'

/** The archive does not have the form of a backup, or was changed or cut off. The message is one line. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive'
}

/** `pax`: the additional fields of its header. */
export type File = Readonly<{ name: string; pax: Readonly<Record<string, string>>; bytes: Buffer }>

/** The files of an archive in order. @throws BadArchive if it cannot be read to its end */
export async function* filesOf(source: Readable): AsyncGenerator<File> {
  const files = extract()
  const piped = pipeline(source, files)
  // Reading the next file reports the error too.
  piped.catch(() => {})
  const reading = files[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await reading.next().catch(unreadable)
      if (next.done === true) break
      const { name, pax } = next.value.header
      yield {
        name,
        pax: (pax ?? {}) as Record<string, string>,
        bytes: await buffer(next.value).catch(unreadable),
      }
    }
    await piped.catch(unreadable)
  } finally {
    files.destroy()
    source.destroy()
  }
}

function unreadable(cause: unknown): never {
  const { syscall, message } = cause as NodeJS.ErrnoException
  // The disk failed, not the archive.
  if (syscall !== undefined) throw cause
  throw /end of data|premature/i.test(message)
    ? cutOff()
    : new BadArchive(`The archive cannot be read: ${message}.`, { cause })
}

export function cutOff(): BadArchive {
  return new BadArchive('The archive ends too early: it is incomplete, or not a backup.')
}
