/**
 * What this process has counted since it started, for whoever watches over it. To count is an addition, whether anybody watches or not;
 * labels come from the source, never from a request.
 */
export type Count = {
  readonly name: string
  readonly help: string
  /** What the figures are told apart by. */
  readonly label: string
  add(value: string, amount?: number): void
  read(): ReadonlyMap<string, number>
}

const counts: Count[] = []

/** Declares something to be counted. */
function counted(name: string, help: string, label: string): Count {
  const figures = new Map<string, number>()
  const count: Count = {
    name,
    help,
    label,
    add(value, amount = 1) {
      figures.set(value, (figures.get(value) ?? 0) + amount)
    },
    read: () => figures,
  }
  counts.push(count)
  return count
}

/** Everything that is counted so. */
export const allCounts: readonly Count[] = counts

export const limitRefusals = counted(
  'limit_refusals_total',
  'Refusals for a limit that was exhausted, by its name.',
  'limit',
)
export const photoOutcomes = counted(
  'photos_total',
  'Addresses of photos that were fetched, by what became of them.',
  'outcome',
)
export const geocoderRequests = counted(
  'geocoder_requests_total',
  'Requests to the geocoding service, by their outcome: answered, or the kind of failure.',
  'outcome',
)
export const geocoderAnswers = counted(
  'geocoder_answers_total',
  'Places that were looked for, by outcome, those that were kept from before included.',
  'outcome',
)
/** Of what `admission` sends. */
export const admissionStatements = counted(
  'admission_statements_total',
  'Statements that admitted requests, by their outcome.',
  'outcome',
)
export const admissionSeconds = counted(
  'admission_seconds_total',
  'Time that those statements took, in seconds.',
  'outcome',
)
