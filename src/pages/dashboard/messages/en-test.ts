/**
 * English: the test environment.
 */
import type { test as spanish } from './es-test.ts'

export const test: typeof spanish = {
  title: 'Test environment',
  subtitle: 'A separate place to try an integration with sample listings.',
  banner: 'Test environment: nothing you see here is real.',
  what: 'Test keys work like live ones, with the same rules and the default limits, but see sample listings. What is done with them does not touch the real listings, reach the marketplace or send email, and search engines do not find it.',
  none: 'No test environment yet',
  noneText: 'The first test key creates it, with sample listings in it.',
  noneMember: 'An owner creates it, with the first test key.',
  createKey: 'Create a test key',
  keys: 'Active test keys',
  keysTitle: 'Test keys',
  seeKeys: 'View test keys',
  seeListings: 'View listings',
  open: 'View the test environment',
  reset: 'Empty and refill',
  resetText:
    'Removes every listing of the test environment, with its photos, and brings the sample listings back. Keys keep working. The photos are deleted for good.',
  resetNow: 'Yes, empty and refill',
  kind: 'Kind of key',
  live: 'Live',
  liveHint: 'Sees and changes the agency’s listings.',
  test: 'Test',
  testHint:
    'Sees sample listings in the test environment. Nothing it does touches the real ones, and nobody is notified. Its allowed sites may include http://localhost.',
}
