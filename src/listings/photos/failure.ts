/**
 * Reasons why a photo could not be stored (api.md 13.4): by kind, so that they can be shown in any language, and as English sentences that
 * integrators can act on. They never reveal the IPs of a host.
 */

/** Advice for a photo that may succeed next time. With the same key, a request that stored other photos would only be replayed. */
const sendAgain = 'Send it again, with a new Idempotency-Key.'

type Said = { said: string }

/** Kind → its sentence, or a function that makes it from the details. */
const sentences = {
  status: ({ status }: { status: number }) =>
    `The source answered with status ${status} instead of a picture.`,
  too_large: ({ megabytes }: { megabytes: number }) => `The picture is larger than ${megabytes} MB.`,
  too_many_pixels: ({ megapixels }: { megapixels: number }) =>
    `The picture has more than ${megapixels} megapixels.`,
  redirects: ({ max }: { max: number }) => `The source redirects more than ${max} times.`,
  refused_redirect: ({ said }: Said) => `The source redirects to a refused URL. ${said}`,
  refused_url: ({ said }: Said) => said,
  /** For a sentence that has no kind of its own. */
  other: ({ said }: Said) => said,
  no_public_ip: 'The host of the URL has no public IP address.',
  no_dns: 'The DNS lookup of the host took too long.',
  slow: 'The source took too long to send the picture.',
  no_location: 'The source redirects without a Location header.',
  no_certificate: 'The source has no valid TLS certificate.',
  unreachable: 'The source could not be reached, or the connection broke.',
  empty: 'The file is empty.',
  no_picture: 'The file is not a JPEG, PNG or WebP picture.',
  too_much_memory: 'The picture takes too much memory to decode. Send it as an 8-bit RGB JPEG.',
  damaged: 'The picture is damaged or incomplete.',
  gone: 'This is not, or no longer, a photo of the listing.',
  out_of_time: `There was no time left to fetch this picture. ${sendAgain}`,
  storage: `The service failed to store the picture. ${sendAgain}`,
  busy: `The service was too busy to fetch this picture. ${sendAgain}`,
  slow_to_decode: `There was no time left to decode this picture. ${sendAgain}`,
} as const

type Sentences = typeof sentences
type Details<S> = S extends (details: infer D) => string ? D : unknown

export type PhotoWhy = {
  [Kind in keyof Sentences]: Readonly<{ kind: Kind } & Details<Sentences[Kind]>>
}[keyof Sentences]

/** As an English sentence. */
export function photoWhyText(why: PhotoWhy): string {
  const sentence: string | ((details: never) => string) = sentences[why.kind]
  return typeof sentence === 'string' ? sentence : sentence(why as never)
}

class PhotoError extends Error {
  readonly why: PhotoWhy

  /** @param why or an English sentence */
  constructor(why: PhotoWhy | string, options?: ErrorOptions) {
    const reason: PhotoWhy = typeof why === 'string' ? { kind: 'other', said: why } : why
    super(photoWhyText(reason), options)
    this.why = reason
  }
}

/** The photo or its source is at fault. */
export class PhotoFailure extends PhotoError {
  override readonly name = 'PhotoFailure'
}

/** The service was too busy for one photo; a retry may succeed. */
export class PhotoDelayed extends PhotoError {
  override readonly name = 'PhotoDelayed'
}
