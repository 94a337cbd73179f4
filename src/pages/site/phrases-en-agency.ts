/** English: what an agency tells of itself. */
import type { Phrases } from './phrases-es.ts'
import type { agencySpanish } from './phrases-es-agency.ts'

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const hour = (time: string) => time.replace(/^0/, '')

export const agencyEnglish: Pick<Phrases, keyof typeof agencySpanish> = {
  aboutAgency: (agency) => `About ${agency}`,
  office: 'Office',
  hours: 'Office hours',
  days: (first, last) => {
    const [from = '', until = ''] = [days[first], days[last]]
    if (first === last) return from
    return last === first + 1 ? `${from} and ${until}` : `${from} to ${until}`
  },
  spans: (spans) => spans.map(([from, until]) => `${hour(from)} to ${hour(until)}`).join(', '),
  licence: (college, number) => `Licence ${college} ${number}`,
  broker: (name) => `Licensed broker: ${name}`,
  stop: {
    title: 'Stop these emails?',
    ask: {
      changes: (email) => `We will no longer email ${email} about changes to the state of listings.`,
      key_reminders: (email) => `We will no longer remind ${email} of keys that expire soon.`,
    },
    press: 'Stop these emails',
    done: 'Done',
    stopped: {
      changes: (email) => `${email} no longer gets emails about changes to the state of listings.`,
      key_reminders: (email) => `${email} no longer gets reminders of expiring keys.`,
    },
    again: 'Turn them on again in the dashboard',
  },
  logoOf: (agency) => `Logo of ${agency}`,
}
