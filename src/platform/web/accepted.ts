/** Reads headers such as `Accept` (RFC 9110 'Content Negotiation'). */
const maxRanges = 20

/** Each range in lower case, with its weight from 0 to 1. */
export function acceptedRanges(header: string | undefined): (readonly [range: string, weight: number])[] {
  return (header ?? '')
    .toLowerCase()
    .split(',', maxRanges)
    .map((entry) => {
      const [range = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const quality = parameters.map((text) => /^q=([01](?:\.\d{0,3})?)$/.exec(text)?.[1]).find(Boolean)
      return [range, quality === undefined ? 1 : Number(quality)] as const
    })
}
