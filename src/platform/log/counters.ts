/**
 * Counters of this process since its start, for metrics. Counting is an addition, whether metrics are on or not. Label values come from
 * the source, never from a request.
 */
type Counter = {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** @param value of the label; with several labels, a value for each */
  add(value: string | readonly string[], amount?: number): void
  /** Amounts by label value; with several labels, by their values with spaces between. */
  read(): ReadonlyMap<string, number>
}

const counters: Counter[] = []

/** Declares a counter. @param known label values that start at 0, so that an alert sees their first count */
function counter(
  name: string,
  help: string,
  labels: string | readonly string[],
  known: readonly string[] = [],
): Counter {
  const amounts = new Map<string, number>(known.map((value) => [value, 0]))
  const declared: Counter = {
    name,
    help,
    labels: [labels].flat(),
    add(value, amount = 1) {
      const key = typeof value === 'string' ? value : value.join(' ')
      amounts.set(key, (amounts.get(key) ?? 0) + amount)
    },
    read: () => amounts,
  }
  counters.push(declared)
  return declared
}

export const allCounters: readonly Counter[] = counters

export const limitRefusals = counter(
  'limit_refusals_total',
  'Refusals because of an exhausted limit, by its name.',
  'limit',
)
export const photoOutcomes = counter(
  'photos_total',
  'Photo URLs fetched, by outcome; failures are of the source or its picture, of the storage, or of time.',
  'outcome',
  ['stored', 'duplicate', 'failed_source', 'failed_storage', 'failed_late'],
)
export const geocoderRequests = counter(
  'geocoder_requests_total',
  'Requests to the geocoding service, by outcome: answered, or the kind of failure.',
  'outcome',
)
export const geocoderAnswers = counter(
  'geocoder_answers_total',
  'Addresses looked up, by outcome, including those from the cache.',
  'outcome',
)
export const admissionStatements = counter(
  'admission_statements_total',
  'Statements that admit requests, by outcome.',
  'outcome',
)
export const admissionSeconds = counter(
  'admission_seconds_total',
  'Time taken by those statements, in seconds.',
  'outcome',
)
export const choreFailures = counter(
  'chore_failures_total',
  'Failures of background chores, by name; each is retried.',
  'chore',
)
export const hungProcesses = counter(
  'processes_hung_total',
  'Serving processes that were killed because they hung, by their state.',
  'state',
  ['listening', 'stopping'],
)
export const mapTiles = counter(
  'map_tiles_total',
  'Requested map tiles, by their source; late ones are shown although they have expired.',
  'outcome',
  ['cache', 'service', 'renewed', 'late', 'none', 'failed'],
)
export const deliveryAttempts = counter('deliveries_total', 'Attempts to deliver a notification.', [
  'channel',
  'outcome',
])
export const deliverySeconds = counter(
  'delivery_seconds_total',
  'Time taken by those attempts, in seconds.',
  ['channel', 'outcome'],
)
