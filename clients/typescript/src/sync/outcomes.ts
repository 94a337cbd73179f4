/**
 * The outcome of each listing, for the report.
 */
import type { FailedPhoto, Property, Warning } from '../types.ts'
import { leftAloneErrors } from './left-alone.ts'
import type { Kind, Plan } from './plan.ts'
import { inWordsOfFile } from './wording.ts'

export type Outcome = {
  external_id: string
  /** Where the file has it; null for a listing that it does not have. */
  place: string | null
  id: string | null
  url: string | null
  state: 'unchanged' | 'planned' | 'done' | 'failed' | 'limited' | 'invalid' | 'left alone' | 'not in file'
  /** The planned action. */
  steps: Kind[]
  /** The action taken. */
  done: Kind[]
  error: { code: string; message: string } | null
  warnings: Warning[]
  /** Photos that could not be stored. */
  failed_photos: Pick<FailedPhoto, 'url' | 'error'>[]
}

export class Outcomes {
  readonly #byId = new Map<string, Outcome>()
  readonly #invalid: Outcome[] = []
  readonly #plan: Plan

  constructor(plan: Plan) {
    this.#plan = plan
    const add = (externalId: string, state: Outcome['state']): Outcome => {
      const property = plan.present.get(externalId)
      const place = plan.places.get(externalId) ?? null
      const outcome = {
        ...empty(externalId, place, state),
        id: property?.id ?? null,
        url: property?.url ?? null,
      }
      this.#byId.set(externalId, outcome)
      return outcome
    }
    for (const externalId of plan.unchanged) add(externalId, 'unchanged')
    for (const { externalId, why } of plan.leftAlone)
      add(externalId, 'left alone').error = leftAloneErrors[why]
    const kept = whyKept(plan)
    for (const { external_id } of plan.gone) add(external_id ?? '', 'not in file').error = kept
    for (const { externalId, kind } of plan.steps) {
      const known = this.#byId.get(externalId)
      const outcome = known?.state === 'planned' ? known : add(externalId, 'planned')
      outcome.steps.push(kind)
    }
    for (const { place, externalId, problems } of plan.bad)
      this.#invalid.push({
        ...empty(externalId ?? '', place, 'invalid'),
        error: { code: 'invalid_row', message: problems.join('; ') },
      })
  }

  /** Another step turned out to be needed. */
  add(externalId: string, kind: Kind): void {
    this.#byId.get(externalId)?.steps.push(kind)
  }

  done(externalId: string, kind: Kind, warnings: readonly Warning[], property: Property | null): void {
    const outcome = this.#byId.get(externalId)
    if (outcome === undefined) return
    outcome.done.push(kind)
    outcome.warnings.push(...warnings)
    outcome.id = property?.id ?? outcome.id
    outcome.url = property?.url ?? outcome.url
    if (outcome.state === 'planned' && outcome.done.length === outcome.steps.length) outcome.state = 'done'
  }

  photosFailed(externalId: string, photos: readonly { url: string; error: string | null }[]): void {
    const outcome = this.#byId.get(externalId)
    outcome?.failed_photos.push(...photos.map(({ url, error }) => ({ url, error })))
  }

  failed(
    externalId: string,
    error: { code: string; message: string },
    state: 'failed' | 'limited' | 'left alone' = 'failed',
  ): void {
    const outcome = this.#byId.get(externalId)
    if (outcome === undefined) return
    outcome.state = state
    const message = inWordsOfFile(error.message, this.#plan.columns.get(externalId))
    outcome.error ??= { code: error.code, message }
  }

  hasFailed(externalId: string): boolean {
    const state = this.#byId.get(externalId)?.state
    return state === 'failed' || state === 'limited'
  }

  /** In the order of the file, then the listings that it does not have. */
  all(): Outcome[] {
    const position = ({ place }: Outcome): number =>
      this.#plan.order.get(place ?? '') ?? this.#plan.order.size
    return [...this.#invalid, ...this.#byId.values()].toSorted((a, b) => position(a) - position(b))
  }

  count(state: Outcome['state']): number {
    return [...this.#invalid, ...this.#byId.values()].filter((outcome) => outcome.state === state).length
  }
}

/** The reason why a listing that is missing from the file is not deleted as requested; null if that was not requested. */
function whyKept({ blockers }: Plan): Outcome['error'] {
  if (blockers.length === 0) return null
  const [first, ...others] = blockers.map(({ place }) => place)
  const rows = others.length === 0 ? first : `${first} and ${others.length} more`
  return {
    code: 'deletion_put_off',
    message: `Its row may be one whose external id cannot be read: ${rows}.`,
  }
}

function empty(externalId: string, place: string | null, state: Outcome['state']): Outcome {
  return {
    external_id: externalId,
    place,
    id: null,
    url: null,
    state,
    steps: [],
    done: [],
    error: null,
    warnings: [],
    failed_photos: [],
  }
}
