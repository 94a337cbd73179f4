/** Copies bytes that stay in memory, so that they do not keep a larger buffer alive. */

/**
 * Copies a text, or bytes, to a buffer with its own memory. A small pooled buffer would keep its whole pool alive, and the output of zlib
 * its whole chunk of 64 KB.
 */
export function ownBytes(content: string | Buffer): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(content))
  if (typeof content === 'string') bytes.write(content)
  else content.copy(bytes)
  return bytes
}
