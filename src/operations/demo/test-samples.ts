/** The samples of a test environment: listings of the demonstration, of every operation and state, with their own ids. */
import { demoAgencies, type DemoListing } from './listings.ts'

/** The number that publishing requires. */
const pictures = 3

/** External ids of the demonstration. */
const chosen = [
  'RN-0412',
  'RN-0377',
  'RN-0429',
  'RN-0405',
  'RN-0318',
  'RN-0289',
  'RN-0441',
  'RN-0420',
  'RN-0402',
  'RN-0415',
  'RN-0370',
  'RN-0423',
  'RN-0333',
  'RN-0447',
]

/** `SAMPLE-01`, `SAMPLE-02` and so on. Each published one has a pin, so that nothing needs a lookup. */
export const testSamples: readonly DemoListing[] = chosen.map((id, index) => {
  const found = demoAgencies
    .flatMap(({ listings }) => listings)
    .find(({ payload }) => payload.external_id === id)
  if (found === undefined) throw new Error(`the demonstration has no listing ${id}`)
  const external_id = `SAMPLE-${String(index + 1).padStart(2, '0')}`
  return { ...found, payload: { ...found.payload, external_id }, pictures: found.pictures.slice(0, pictures) }
})
