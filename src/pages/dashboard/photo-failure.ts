/** The reason why a photo could not be stored, in the reader's language. */
import type { PhotoWhy } from '../../listings/photos/failure.ts'
import type { PageRequest } from './page.ts'

export function photoFailureText({ t }: Pick<PageRequest, 't'>, why: PhotoWhy): string {
  const texts = t.photoWhy
  switch (why.kind) {
    case 'status':
      return texts.status(why.status)
    case 'too_large':
      return texts.too_large(why.megabytes)
    case 'too_many_pixels':
      return texts.too_many_pixels(why.megapixels)
    case 'refused_url':
    case 'refused_redirect':
      return texts.refused
    case 'out_of_time':
    case 'storage':
    case 'busy':
    case 'slow_to_decode':
      return texts.ours
    case 'other':
      return why.said
    default:
      return texts[why.kind]
  }
}
