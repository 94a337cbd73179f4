/**
 * What libjpeg only warns of. It tells its first warning and no other; some mean that pixels are missing, and some mean nothing.
 */

/** Of odd headers and of padding between scans, which cameras and editors write. The pixels are whole. */
const harmless =
  /extraneous bytes before marker|unknown JFIF revision|Unknown Adobe color transform|Invalid SOS parameters|Inconsistent progression/

/** Whether libjpeg warned of nothing that touches the pixels. */
export function isHarmlessWarning(message: string): boolean {
  return harmless.test(message)
}

/** The JPEG without the bytes that belong to no segment of its header: a warning of these would hide one of missing pixels. */
export function withPlainHeader(bytes: Uint8Array): Uint8Array {
  const kept = [bytes.subarray(0, 2)]
  let from = 2
  let stray = 0
  for (;;) {
    const at = nextMarker(bytes, from)
    if (at === null) return bytes
    stray += at - from
    // The scans begin: all the rest.
    if (bytes[at + 1] === 0xda) {
      kept.push(bytes.subarray(at))
      return stray === 0 ? bytes : Buffer.concat(kept)
    }
    const end = at + 2 + ((bytes[at + 2] ?? 0) << 8) + (bytes[at + 3] ?? 0)
    kept.push(bytes.subarray(at, end))
    from = end
  }
}

/** Where the next segment that has a length begins. */
function nextMarker(bytes: Uint8Array, from: number): number | null {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker < 0xff && (marker < 0xd0 || marker > 0xd9)) return at
  }
  return null
}
