/**
 * English: the test environment.
 */
import type { test as spanish } from './es-test.ts'

export const test: typeof spanish = {
  page: {
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
    seeUsage: 'View usage',
    seePage: 'View public page',
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
  },
  flash: {
    testReset: (count) => `The test environment has its ${count} sample listings again.`,
  },
  reasons: {
    origin_odd_test: 'Enter https:// and the domain, or http://localhost:3000; nothing after it.',
    origin_of_test_writer:
      'A test key that writes takes only http://localhost and http://127.0.0.1, such as http://localhost:3000.',
    key_kind_missing: 'Choose whether the key is live or a test key.',
    slug_reserved: 'Names that end in “-test” are reserved for test environments.',
    slug_of_test: 'This is the test environment of an agency. Choose the agency.',
    test_slug_taken:
      'The test environment cannot be created: another agency has taken its name in URLs. Ask the operator.',
  },
}
