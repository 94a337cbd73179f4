/** The form of slugs (api.md 2.1). A twin has its agency's slug with an ending. */
import { slugLength } from '../limits/sizes.ts'
import { invalid } from '../platform/errors/errors.ts'

const testEnding = '-test'

/** The slug of the agency's twin. */
export function twinSlug(slug: string): string {
  return `${slug}${testEnding}`
}

/** Whether the text has the form of an agency's or twin's slug, in either case. Other text may not even be valid for PostgreSQL. */
export function isSlug(text: string): boolean {
  return text.length <= slugLength + testEnding.length && /^[a-z0-9-]+$/i.test(text)
}

/** An agency that already has such a slug keeps it; no other can get one. */
export function checkNewSlug(slug: string): string {
  if (slug.length > slugLength || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))
    throw invalid(
      'slug',
      `"${slug}" is not a valid slug. Use 1 to ${slugLength} lowercase letters and digits, separated by single hyphens.`,
      'slug_odd',
    )
  if (slug.endsWith(testEnding))
    throw invalid(
      'slug',
      `Slugs that end in "${testEnding}" are reserved for test environments. Choose another.`,
      'slug_reserved',
    )
  return slug
}
