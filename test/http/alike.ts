/** Compares a response with an example strictly, except for values that differ each time. */
import assert from 'node:assert/strict'

/** Members of which only the type is compared. */
const varying =
  /^(id|url|stored_url|existing_id|name|slug|prefix|photos\[\d+\]|(created|updated|published|changed|deleted)_at|resets_at|until|next_cursor|request_id|self)$/
/** Numbers that depend on the limits of a service. */
const counts = /\.(limits|usage)\.\w+\.(max|used|remaining)$/
/** Members of which an example shows only a part. */
const excerpts = /^\/openapi\.json/

/** @throws AssertionError naming the place */
export function assertAlike(given: unknown, shown: unknown, place: string, name = ''): void {
  if (typeof shown !== 'object' || shown === null || typeof given !== 'object' || given === null) {
    const isAlike = (varying.test(name) || counts.test(place)) && shown !== null && given !== null
    return isAlike ? assert.equal(typeof given, typeof shown, place) : assert.deepEqual(given, shown, place)
  }
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(given) && given.length === shown.length, `${place}: ${JSON.stringify(given)}`)
    for (const [index, one] of shown.entries())
      assertAlike(given[index], one, `${place}[${index}]`, `${name}[${index}]`)
    return
  }
  if (!excerpts.test(place))
    assert.deepEqual(Object.keys(given).toSorted(), Object.keys(shown).toSorted(), place)
  for (const [member, one] of Object.entries(shown))
    assertAlike((given as Record<string, unknown>)[member], one, `${place}.${member}`, member)
}
