/**
 * English: what there is to do, on the first page and at each listing.
 */
import type { work as spanish } from './es-work.ts'

const listings = (count: string): string => (count === '1' ? '1 listing' : `${count} listings`)

export const work: typeof spanish = {
  page: {
    title: 'To do',
    subtitle: 'What needs attention, most useful first.',
    done: 'All done',
    doneText: 'Nothing is waiting. When a photo, an address or a key needs attention, you will see it here.',
    moreThan: (count) => `more than ${count}`,
    photos: {
      title: (count) => `${listings(count)} with photos that were not saved`,
      heading: 'Photos that were not saved',
      review: 'Review the photos',
      none: 'No photos with problems',
    },
    pins: {
      title: (count) => (count === '1' ? '1 pin far from Argentina' : `${count} pins far from Argentina`),
      text: 'The coordinates seem to be swapped, or lack a minus sign.',
      use: (lat, lng) => `Move it to ${lat}, ${lng}`,
    },
    places: {
      title: (count) =>
        count === '1' ? '1 address not found on the map' : `${count} addresses not found on the map`,
      text: 'Without a pin, the listing is not on the map. Correct the address or place the pin by hand.',
      heading: 'Addresses not found on the map',
      review: 'Place them',
      place: 'Place it',
      none: 'Every address has its pin',
    },
    drafts: {
      ready: (count) => (count === '1' ? '1 draft ready to publish' : `${count} drafts ready to publish`),
      nearly: (count) => (count === '1' ? '1 draft nearly ready' : `${count} drafts nearly ready`),
      isReady: 'Ready to publish',
      lacks: 'Missing:',
      see: 'View the drafts',
    },
    keys: {
      failing: (name) => `The key “${name}” is failing`,
      failingText: (failures, requests) =>
        `${failures} of ${requests} requests have failed since yesterday. The most frequent error:`,
      last: 'The last one:',
      ended: (name) => `A system still uses the key “${name}”, which no longer works`,
      endedText: (count) =>
        count === '1'
          ? '1 request has been refused since yesterday. Give that system a key that works.'
          : `${count} requests have been refused since yesterday. Give that system a key that works.`,
      silent: (name) => `The key “${name}” has gone silent`,
      silentText: (date) =>
        `Its last request was on ${date}. Check whether the system that uses it has stopped.`,
      errors: 'View its errors',
      requests: 'View its requests',
      see: 'View key',
    },
    mails: {
      title: 'Emails to the agency could not be delivered',
      text: (count) =>
        count === '1' ? '1 notification was not sent.' : `${count} notifications were not sent.`,
      mend: 'Correct the email',
    },
    stale: {
      title: (count, days) =>
        count === '1'
          ? `1 published listing unchanged for ${days} days`
          : `${count} published listings unchanged for ${days} days`,
      text: 'Check that they are still available and their prices up to date.',
      see: 'View the listings',
    },
    start: {
      title: 'Getting started',
      listing: 'Create the first listing',
      listingText: 'Price, address, photos. It stays a draft until you publish it.',
      key: 'Or connect a system',
    },
    figures: 'In figures',
  },
  warnings: {
    title: 'Needs attention',
    photos: (count) => (count === 1 ? 'A photo was not saved' : `${count} photos were not saved`),
    sent: 'Sent by:',
    since: (moment) => `Failing since ${moment}.`,
    retryAll: 'Try all again',
    dismiss: 'Dismiss',
    dismissAll: 'Dismiss all',
    others: (count) => `View ${count} more`,
    kept: (count) => (count === 1 ? 'One extra photo was kept' : `${count} extra photos were kept`),
    keptText: 'A system sent a shorter list of photos, but one of them was not saved, so none was removed.',
    removeKept: (count) => (count === 1 ? 'Remove that photo' : 'Remove those photos'),
    leaveKept: 'Leave as it is',
    seePhotos: 'View the photos',
    unresolved: 'The address was not found on the map',
    unresolvedText: 'Without a pin, the listing is not on the map of its public page.',
    editAddress: 'Correct the address',
    lookUp: 'Look it up again',
    misplaced: (lat, lng) => `The pin is far from Argentina: ${lat}, ${lng}`,
    approximate: 'The pin is in the street, not at the number',
    abroad: 'The pin is outside Argentina. If that is right, there is nothing to do.',
    movePin: 'Move the pin',
  },
}
