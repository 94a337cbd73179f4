/** ETags and the conditional headers (api.md 8; RFC 9110). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { checkIfMatch, listEtag, listingEtag, matchesNone } from '../../../src/http/responses/etag.ts'

const agency = '019ab0c4-6d2e-7c31-9a55-0d1f7be3a901'
const other = '019ab0c4-6d2e-7c31-9a55-0d1f7be3a902'
const strongTag = /^"[\x21\x23-\x2b\x2d-\x7e]+"$/

describe('listEtag', () => {
  test('depends on the agency, its revision, its profile and the query', () => {
    const tags = [
      listEtag(agency, 1, 1, 'a'),
      listEtag(agency, 2, 1, 'a'),
      listEtag(agency, 1, 2, 'a'),
      listEtag(agency, 1, 1, 'b'),
      listEtag(other, 1, 1, 'a'),
      listEtag(agency, 11, 1, ''),
      listEtag(agency, 1, 11, ''),
      listEtag(agency, 1, 1, '1'),
    ]
    assert.equal(new Set(tags).size, tags.length)
    for (const tag of tags) assert.match(tag, strongTag)
    assert.equal(listEtag(agency, 1, 1, 'a'), tags[0])
  })
})

describe('listingEtag', () => {
  const at = (version: number, agency_id = agency) => ({ agency_id, version })

  test('depends on the version, the agency’s profile and the fields in any order', () => {
    const tags = [
      listingEtag(at(1), 1, null),
      listingEtag(at(2), 1, null),
      listingEtag(at(1), 2, null),
      listingEtag(at(1, other), 1, null),
      listingEtag(at(11), 1, null),
      listingEtag(at(1), 1, new Set(['id'])),
      listingEtag(at(1), 1, new Set(['id', 'title'])),
      listingEtag(at(1), 1, new Set(['id,title'])),
    ]
    // A single name with a comma cannot come from `fields`.
    assert.equal(new Set(tags.slice(0, -1)).size, tags.length - 1)
    for (const tag of tags) assert.match(tag, strongTag)
    assert.equal(listingEtag(at(1), 1, new Set(['title', 'id'])), tags[6])
  })
})

describe('matchesNone', () => {
  const tag = '"abc-1.1.*"'
  test('compares weakly with every ETag of a list', () => {
    for (const header of [tag, `W/${tag}`, '*', ' * ', `"x",${tag}`, `"x" , W/"y", ${tag}  `, `,${tag}`])
      assert.equal(matchesNone(header, tag), true, header)
    for (const header of [
      undefined,
      '',
      '"x"',
      'abc-1.1.*',
      '"abc-1.1."',
      `"*"`,
      'W/*',
      `w/${tag}`,
      `"x${tag}`,
      '"ABC-1.1.*"',
    ]) {
      assert.equal(matchesNone(header, tag), false, header)
    }
  })
})

describe('checkIfMatch', () => {
  const listing = { agency_id: agency, version: 12 }
  const fails = (header: string, subject: typeof listing | null = listing) =>
    assert.throws(
      () => checkIfMatch(header, subject),
      (error) => error instanceof ApiError && error.code === 'precondition_failed',
      header,
    )

  test('passes without the header, with *, and with an ETag of this version in any representation', () => {
    checkIfMatch(undefined, listing)
    checkIfMatch(undefined, null)
    checkIfMatch('*', listing)
    for (const fields of [null, new Set(['title'])]) {
      for (const profile of [1, 2]) {
        const tag = listingEtag(listing, profile, fields)
        checkIfMatch(tag, listing)
        checkIfMatch(`"x", ${tag}`, listing)
      }
    }
  })

  test('fails for another version, another agency’s listing, a weak ETag, and a listing that does not exist', () => {
    const tag = (version: number, agency_id = agency) => listingEtag({ agency_id, version }, 1, null)
    for (const header of [
      tag(1),
      tag(11),
      tag(13),
      tag(120),
      tag(12, other),
      `W/${tag(12)}`,
      tag(12).slice(1),
      '',
      '"x"',
      '"*"',
    ])
      fails(header)
    fails('*', null)
    fails(tag(12), null)
  })
})
