/** Handles warnings of libjpeg, which reports only the first. Some mean missing pixels, others nothing. */

/** Warnings of odd headers and of padding between scans, which cameras and editors write. The pixels are complete. */
const harmless =
  /extraneous bytes before marker|unknown JFIF revision|Unknown Adobe color transform|Invalid SOS parameters|Inconsistent progression/

/** Whether the warning does not concern the pixels. */
export function isHarmlessWarning(message: string): boolean {
  return harmless.test(message)
}

/** The JPEG without stray bytes between its header segments: their warning would hide a warning about missing pixels. */
export function withPlainHeader(bytes: Uint8Array): Uint8Array {
  const kept = [bytes.subarray(0, 2)]
  let from = 2
  let stray = 0
  for (;;) {
    const at = nextMarker(bytes, from)
    if (at === null) return bytes
    stray += at - from
    // Here the scans begin: keep the rest.
    if (bytes[at + 1] === 0xda) {
      kept.push(bytes.subarray(at))
      return stray === 0 ? bytes : Buffer.concat(kept)
    }
    const end = at + 2 + ((bytes[at + 2] ?? 0) << 8) + (bytes[at + 3] ?? 0)
    kept.push(bytes.subarray(at, end))
    from = end
  }
}

/** The offset of the next segment that has a length. */
function nextMarker(bytes: Uint8Array, from: number): number | null {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker < 0xff && (marker < 0xd0 || marker > 0xd9)) return at
  }
  return null
}
