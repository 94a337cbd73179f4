/**
 * `agency contact`: how visitors of its public pages reach an agency.
 */
import { getAgency } from '../agencies/agencies.ts'
import { type AgencyContact, setAgencyContact } from '../agencies/contact.ts'
import { databaseClock } from '../clock.ts'
import { noteHere } from './command-line.ts'
import type { Command } from './command.ts'
import { withDatabase } from './database.ts'
import { fields } from './layout.ts'

const names = ['phone', 'whatsapp', 'website'] as const

export const agencyContactCommand: Command = {
  name: 'agency contact',
  summary: 'Says how visitors of its public pages reach an agency, beside its e-mail.',
  details: 'What is not given stays; "none" removes it. Without options it shows what is set.',
  positionals: ['SLUG'],
  options: {
    phone: { value: 'NUMBER', help: 'with the code of its country, such as "+54 11 5555-0142"' },
    whatsapp: { value: 'NUMBER', help: 'the same, for WhatsApp' },
    website: { value: 'ADDRESS', help: "the agency's own site" },
  },
  run: ({ positionals: [slug = ''], optional }, context) =>
    withDatabase(context, async ({ db }) => {
      const changes: Partial<AgencyContact> = {}
      for (const name of names) {
        const value = optional(name)
        if (value !== null) changes[name] = value === 'none' ? null : value
      }
      const contact = await db.transaction().execute(async (tx) => {
        const set = await setAgencyContact(tx, slug, changes, databaseClock)
        if (Object.keys(changes).length > 0)
          await noteHere(tx, 'agency_changed', (await getAgency(tx, slug)).id, slug, changes)
        return set
      })
      return { json: contact, text: fields(names.map((name) => [name, contact[name] ?? 'none'])) }
    }),
}
