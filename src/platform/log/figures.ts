/**
 * Counters of this process since its start, for metrics. Counting is an addition, whether metrics are on or not. Label values come from
 * the source, never from a request.
 */
type Count = {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** @param value of the label; with several labels, a value for each */
  add(value: string | readonly string[], amount?: number): void
  /** Amounts by label value; with several labels, by their values with spaces between. */
  read(): ReadonlyMap<string, number>
}

const counts: Count[] = []

/** Declares a counter. @param known label values that start at 0, so that an alert sees their first count */
function counted(
  name: string,
  help: string,
  labels: string | readonly string[],
  known: readonly string[] = [],
): Count {
  const figures = new Map<string, number>(known.map((value) => [value, 0]))
  const count: Count = {
    name,
    help,
    labels: [labels].flat(),
    add(value, amount = 1) {
      const key = typeof value === 'string' ? value : value.join(' ')
      figures.set(key, (figures.get(key) ?? 0) + amount)
    },
    read: () => figures,
  }
  counts.push(count)
  return count
}

export const allCounts: readonly Count[] = counts

export const limitRefusals = counted(
  'limit_refusals_total',
  'Refusals because of an exhausted limit, by its name.',
  'limit',
)
export const photoOutcomes = counted(
  'photos_total',
  'Photo URLs fetched, by outcome; failures are of the source or its picture, of the storage, or of time.',
  'outcome',
  ['stored', 'duplicate', 'failed_source', 'failed_storage', 'failed_late'],
)
export const geocoderRequests = counted(
  'geocoder_requests_total',
  'Requests to the geocoding service, by outcome: answered, or the kind of failure.',
  'outcome',
)
export const geocoderAnswers = counted(
  'geocoder_answers_total',
  'Addresses looked up, by outcome, including those from the cache.',
  'outcome',
)
export const admissionStatements = counted(
  'admission_statements_total',
  'Statements that admit requests, by outcome.',
  'outcome',
)
export const admissionSeconds = counted(
  'admission_seconds_total',
  'Time taken by those statements, in seconds.',
  'outcome',
)
export const choreFailures = counted(
  'chore_failures_total',
  'Failures of background chores, by name; each is retried.',
  'chore',
)
export const hungProcesses = counted(
  'processes_hung_total',
  'Serving processes that were killed because they hung, by their state.',
  'state',
  ['listening', 'stopping'],
)
export const mapTiles = counted(
  'map_tiles_total',
  'Requested map tiles, by their source; late ones are shown although they have expired.',
  'outcome',
  ['cache', 'service', 'renewed', 'late', 'none', 'failed'],
)
export const deliveryAttempts = counted('deliveries_total', 'Attempts to deliver a notification.', [
  'channel',
  'outcome',
])
export const deliverySeconds = counted(
  'delivery_seconds_total',
  'Time taken by those attempts, in seconds.',
  ['channel', 'outcome'],
)
