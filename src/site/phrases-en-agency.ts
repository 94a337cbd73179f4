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
  licence: (college, number) => `License ${college} ${number}`,
  broker: (name) => `Licensed broker: ${name}`,
  logoOf: (agency) => `Logo of ${agency}`,
}
