/** `POST /properties` (api.md 15.7). */
import { checked } from '../errors.ts'
import { writeEndpoint } from '../http/endpoint.ts'
import { authorOf } from '../http/authenticate.ts'
import { checkIfMatch } from '../http/etag.ts'
import {
  commitCreation,
  discardFetched,
  foreseeCreation,
  errorOf,
  newListing,
  prepareCreation,
  prepareWithoutFetching,
  waitsForNothing,
} from '../properties/create.ts'
import { asCreated, createTogether } from '../properties/create-listings.ts'
import { canonicalPayload, checkPayload } from '../properties/payload.ts'
import { payloadSchema } from '../properties/schema.ts'
import { creationAnswers, creationBodies } from './creation-examples.ts'
import { describedCreation, contextOf } from './shared.ts'
import { keptRest, replayWritten, written } from './written.ts'

export const createProperty = writeEndpoint({
  method: 'POST',
  path: '/properties',
  operationId: 'createProperty',
  summary: 'Create',
  description:
    'Creates a draft, or with `status: published` a listing that is shown at once. Publishing requires its fields and photos to be complete.',
  tag: 'Listings',
  scope: 'properties:write',
  idempotency: 'required',
  body: payloadSchema,
  bodyExamples: creationBodies,
  canonicalBody: canonicalPayload,
  responses: { 201: describedCreation(creationAnswers) },
  errors: [
    'duplicate_property',
    'external_id_exists',
    'precondition_failed',
    'insufficient_photos',
    'too_many_photos',
    'not_publishable',
    'photo_ingest_failed',
  ],
  check: ({ body, inexact }) => checked((problems) => checkPayload(body, inexact, problems)),
  foresee({ deps, body, inexact }, problems) {
    checkPayload(body, inexact, problems)
    foreseeCreation(deps, body, problems)
  },
  runsAtOnce: ({ deps, body }) => waitsForNothing(deps, body),
  async prepare(input) {
    checkIfMatch(input.ifMatch, null)
    return prepareCreation(input.deps, input.caller.agency.id, input.body)
  },
  async imagine(input) {
    checkIfMatch(input.ifMatch, null)
    return prepareWithoutFetching(input.deps, input.body)
  },
  async commitTogether(input, prepared, key) {
    if (prepared.urls.length > 0) return null
    const { deps, caller, requestId } = input
    const { id: agencyId } = caller.agency
    const { listing, warnings } = newListing(agencyId, prepared, prepared, null)
    const created = await createTogether(deps, {
      listing,
      comparesAddress: !prepared.force,
      author: authorOf(caller, requestId),
      response: { ...key, status: 201, rest: JSON.stringify(keptRest(input, { warnings })) },
    })
    const { rejection } = created
    if (rejection === null) return written(input, asCreated(listing, created), warnings, 201)
    // The transaction waits for the lock, and finds out how the key is used.
    if (rejection === 'busy' || rejection === 'key_in_use') return null
    const { db, clock, config } = deps
    throw await errorOf({ db, agencyId, clock, limits: config.limits }, prepared, created)
  },
  async commit(locked, input, prepared) {
    const context = contextOf(locked, input)
    const { listing, warnings, photos } = await commitCreation(context, prepared)
    return written(input, listing, warnings, 201, photos)
  },
  replay: replayWritten,
  discard: (input, prepared) => discardFetched(input.deps, input.caller.agency.id, prepared),
})
