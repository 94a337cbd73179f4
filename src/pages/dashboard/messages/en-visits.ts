/**
 * English: visits of public pages, and enquiries.
 */
import type { visits as spanish } from './es-visits.ts'

export const visits: typeof spanish = {
  title: 'Visits',
  subtitle: (days) => `Visits to the public pages of listings, in the last ${days} days.`,
  ofListing: (days) => `Visits of the last ${days} days`,
  kinds: {
    views: 'Visits',
    phone: 'Calls',
    whatsapp: 'WhatsApp',
    email: 'Emails',
    shared: 'Shares',
    enquiries: 'Enquiries',
  },
  how: 'Each visitor counts once a day; someone who comes back later may count again. Visits are counted without cookies, and nothing about visitors is stored. Visitors who ask not to be tracked are not counted.',
  none: 'No visits yet',
  noneText: 'Visits to published listings, and the contacts they bring, appear here.',
  chart: {
    succeeded: 'Visits',
    failed: 'Contacts',
    inDays: (total, days) =>
      `${total} ${total === '1' ? 'visit or contact' : 'visits and contacts'} in ${days} days`,
    day: 'Day',
  },
  csvNote: (most) => `Up to ${most} listings, the most visited.`,
  seeAll: 'View the visits of all',
  enquiries: {
    title: 'Enquiries from visitors',
    text: 'Public pages can have a form. What a visitor writes is sent to the agency’s email, and is not kept.',
    label: 'Show the enquiry form',
    stuck: (count) =>
      count === 1
        ? '1 enquiry is waiting: the mail server has not accepted it yet.'
        : `${count} enquiries are waiting: the mail server has not accepted them yet.`,
    noMail: 'This service does not send email yet: the form is not shown.',
  },
}
