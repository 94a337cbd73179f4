/**
 * English: search, table of agencies, traffic and audit log in the operator’s console.
 */
import type { console as spanish } from './es-console.ts'

const agencies = (count: string): string => (count === '1' ? '1 agency' : `${count} agencies`)

export const console: typeof spanish = {
  find: {
    label: 'Search',
    placeholder: 'ID, code, email, agency, key…',
    title: 'Search',
    kind: 'What it is',
    hint: 'Finds requests and notifications by ID, listings by code or external ID, people, agencies, and keys by their first characters or in full.',
    none: 'Nothing found',
    noneText: 'Try another part of the name, or paste the full ID.',
    noneOfKey: 'No agency has that key.',
    kinds: {
      request: 'Request',
      listing: 'Listing',
      agency: 'Agency',
      person: 'Person',
      key: 'Key',
      event: 'Notification',
    },
  },
  table: {
    search: 'Name, or name in URLs',
    show: 'Show',
    views: {
      all: 'All',
      active: 'Active',
      inactive: 'Deactivated',
      failing: 'With errors',
      silent: 'Unused for 7 days',
      limits: 'With their own limits',
    },
    listings: 'Published / all',
    requests: 'Requests, 7 days',
    errors: 'Errors',
    lastUse: 'Last API use',
    count: agencies,
    sortBy: (column) => `Sort by ${column}`,
    ownLimits: 'Own limits',
    none: 'None match',
    noneText: 'Change the search, or show all.',
  },
  traffic: {
    subtitle: 'Requests of all agencies, their test environments included.',
    most: 'Most requests',
    failing: 'Most errors',
    limited: 'Most refused by a limit',
    none: 'Nothing in this period.',
  },
  deactivate: {
    title: (name) => `Deactivate ${name}`,
    happens: 'What happens',
    keys: (count) =>
      count === 0
        ? 'It has no keys in use.'
        : count === 1
          ? 'Its key stops working immediately.'
          : `Its ${count} keys stop working immediately.`,
    listings: (count) =>
      `Its public pages are no longer shown${count === '0' ? '' : `, with ${count === '1' ? '1 published listing' : `${count} published listings`}`}, nor are its photos.`,
    people: (count) =>
      count === 1
        ? '1 person can still view the dashboard, but change nothing.'
        : `${count} people can still view the dashboard, but change nothing.`,
    kept: 'Nothing is deleted: activating it brings everything back as it was.',
    confirm: (slug) => `To confirm, type “${slug}”`,
    wrong: (slug) => `Type “${slug}” to confirm.`,
    now: 'Deactivate the agency',
  },
  audit: {
    what: 'Action',
    anything: 'All',
    subject: 'About',
    details: 'Details',
    noMatch: 'Nothing matches the filters',
    noMatchText: 'Try a part of the name, other dates or fewer filters.',
  },
  home: {
    nothing: 'Nothing to do',
    nothingText: 'All is well.',
    setAside: (count) => (count === '1' ? '1 notification set aside' : `${count} notifications set aside`),
    failing: (count) => `${agencies(count)} with more than 20% errors in 7 days`,
    see: 'View',
    notNow: 'Not available: part of the database is not responding.',
  },
}
