/**
 * What this process has counted since it started, for whoever watches over it. To count is an addition, whether anybody watches or not;
 * labels come from the source, never from a request.
 */
type Count = {
  readonly name: string
  readonly help: string
  /** What the figures are told apart by. */
  readonly label: string
  add(value: string, amount?: number): void
  read(): ReadonlyMap<string, number>
}

const counts: Count[] = []

/** Declares something to be counted. @param known labels that stand at 0 from the start: an alert sees their first count */
function counted(name: string, help: string, label: string, known: readonly string[] = []): Count {
  const figures = new Map<string, number>(known.map((value) => [value, 0]))
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
  'Addresses of photos that were fetched, by what became of them: failed for the source or its picture, for our storage, or for time.',
  'outcome',
  ['stored', 'duplicate', 'failed_source', 'failed_storage', 'failed_late'],
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
export const choreFailures = counted(
  'chore_failures_total',
  'Failures of what the worker does beside requests, by its name; each is tried again.',
  'chore',
)
