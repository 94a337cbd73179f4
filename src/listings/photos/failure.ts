/**
 * Reasons why a photo could not be stored (api.md 13.4): by kind, so that they can be shown in any language, and as English sentences that
 * integrators can act on. They never reveal the IPs of a host.
 */
export type PhotoWhy =
  | Readonly<{ kind: 'status'; status: number }>
  | Readonly<{ kind: 'too_large'; megabytes: number }>
  | Readonly<{ kind: 'too_many_pixels'; megapixels: number }>
  | Readonly<{ kind: 'redirects'; most: number }>
  | Readonly<{ kind: 'refused_url' | 'refused_redirect'; said: string }>
  | Readonly<{ kind: PlainKind }>
  /** A sentence without its own kind. */
  | Readonly<{ kind: 'other'; said: string }>

type PlainKind = keyof typeof sentences

/** Advice for a photo that may succeed next time. A request repeated with the same key, whose other photos were stored, is replayed. */
export const sendAgain = 'Send it again, with a new Idempotency-Key.'

const sentences = {
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

/** As an English sentence. */
export function tellPhotoWhy(why: PhotoWhy): string {
  switch (why.kind) {
    case 'status':
      return `The source answered with status ${why.status} instead of a picture.`
    case 'too_large':
      return `The picture is larger than ${why.megabytes} MB.`
    case 'too_many_pixels':
      return `The picture has more than ${why.megapixels} megapixels.`
    case 'redirects':
      return `The source redirects more than ${why.most} times.`
    case 'refused_redirect':
      return `The source redirects to a refused URL. ${why.said}`
    case 'refused_url':
    case 'other':
      return why.said
    default:
      return sentences[why.kind]
  }
}

const whyOf = (why: PhotoWhy | string): PhotoWhy =>
  typeof why === 'string' ? { kind: 'other', said: why } : why

/** The photo or its source is at fault. */
export class PhotoFailure extends Error {
  override readonly name = 'PhotoFailure'
  readonly why: PhotoWhy

  /** @param why or an English sentence */
  constructor(why: PhotoWhy | string, options?: ErrorOptions) {
    super(tellPhotoWhy(whyOf(why)), options)
    this.why = whyOf(why)
  }
}

/** The service was too busy for one photo; a retry may succeed. */
export class PhotoDelayed extends Error {
  override readonly name = 'PhotoDelayed'
  readonly why: PhotoWhy

  /** @param why or an English sentence */
  constructor(why: PhotoWhy | string, options?: ErrorOptions) {
    super(tellPhotoWhy(whyOf(why)), options)
    this.why = whyOf(why)
  }
}
