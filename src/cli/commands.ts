/**
 * The table of commands: what they are called with and what their help says. What a command does is loaded when it is called.
 */
import { allScopes } from '../keys/key-rules.ts'
import { channels, deliveryStates } from '../notifications/outbox.ts'
import type { Command, Option } from './command.ts'

const agencyOption: Option = { value: 'SLUG', required: true, help: 'the agency, by its slug' }
const listingOptions: Readonly<Record<string, Option>> = {
  agency: agencyOption,
  id: { value: 'CODE', required: true, help: "the listing's public code or uuid" },
}
const ofAgency: Option = { value: 'SLUG', help: 'of this agency alone' }
const channel: Option = { value: 'CHANNEL', help: `${channels.join(' or ')}; both without it` }
const state: Option = { value: 'STATE', multiple: true, help: `one of ${deliveryStates.join(', ')}` }

export const commands: readonly Command[] = [
  {
    name: 'agency create',
    summary: 'Makes an agency.',
    options: {
      name: { value: 'NAME', required: true, help: 'its name, as pages show it' },
      slug: {
        value: 'SLUG',
        required: true,
        help: 'its name in addresses: lower-case letters, digits, single hyphens',
      },
      email: { value: 'EMAIL', help: 'where it is told of changes of state, and whom visitors write to' },
    },
    load: async () => (await import('./agency.ts')).create,
  },
  {
    name: 'agency list',
    summary: 'Lists the agencies.',
    load: async () => (await import('./agency.ts')).list,
  },
  {
    name: 'agency deactivate',
    summary: 'Stops all keys of an agency, at once.',
    positionals: ['SLUG'],
    load: async () => (await import('./agency.ts')).deactivate,
  },
  {
    name: 'agency activate',
    summary: 'Lets the keys of an agency work again.',
    positionals: ['SLUG'],
    load: async () => (await import('./agency.ts')).activate,
  },
  {
    name: 'agency contact',
    summary: 'Says how visitors of its public pages reach an agency, beside its e-mail.',
    details: 'What is not given stays; "none" removes it. Without options it shows what is set.',
    positionals: ['SLUG'],
    options: {
      phone: { value: 'NUMBER', help: 'with the code of its country, such as "+54 11 5555-0142"' },
      whatsapp: { value: 'NUMBER', help: 'the same, for WhatsApp' },
      website: { value: 'ADDRESS', help: "the agency's own site" },
    },
    load: async () => (await import('./agency.ts')).contact,
  },
  {
    name: 'key create',
    summary: 'Makes a key, and shows it this once.',
    details:
      'Without --expires a key with properties:write lasts one year, one with a leads scope 90 days (its longest), and a reading one for ever.',
    options: {
      agency: agencyOption,
      name: { value: 'NAME', required: true, help: 'what the key is for' },
      scope: {
        value: 'SCOPE',
        required: true,
        multiple: true,
        help: `one of ${allScopes.join(', ')}; properties:write brings properties:read`,
      },
      expires: {
        value: 'ISO-DATE',
        help: 'such as 2027-03-31 (its first moment in UTC) or 2027-03-31T12:00:00Z',
      },
      origin: {
        value: 'ORIGIN',
        multiple: true,
        help: 'a site whose pages may use it, such as https://www.example.com; at most 5, reading keys only',
      },
      'signature-required': { help: 'every request must be signed; shows the secret to sign with' },
    },
    load: async () => (await import('./key.ts')).create,
  },
  {
    name: 'key list',
    summary: 'Lists the keys of an agency, revoked and expired ones too.',
    options: { agency: agencyOption },
    load: async () => (await import('./key.ts')).list,
  },
  {
    name: 'key rotate',
    summary: 'Makes a new key with the configuration of an old one, and shows it this once.',
    details:
      'The old key keeps working until you revoke it: put the new one to use first, then `key revoke` the old one.',
    positionals: ['ID'],
    load: async () => (await import('./key.ts')).rotate,
  },
  {
    name: 'key revoke',
    summary: 'Revokes a key, at once and for good.',
    positionals: ['ID'],
    load: async () => (await import('./key.ts')).revoke,
  },
  {
    name: 'listing show',
    summary: 'Shows a listing, even a removed one.',
    options: listingOptions,
    load: async () => (await import('./listing.ts')).show,
  },
  {
    name: 'listing history',
    summary: 'Shows what happened to a listing, oldest first.',
    options: listingOptions,
    load: async () => (await import('./listing.ts')).history,
  },
  {
    name: 'listing restore',
    summary: 'Brings a removed listing back: a draft as a draft, any other suspended.',
    options: {
      ...listingOptions,
      'external-id': {
        value: 'NEW|none',
        help: 'another external id, or none, where its own was taken meanwhile',
      },
    },
    load: async () => (await import('./listing.ts')).restore,
  },
  {
    name: 'notification list',
    summary:
      'Lists what is told of changes of state, the latest first: without --state what waits or was set aside.',
    options: {
      agency: ofAgency,
      channel,
      state,
      failing: { help: 'what waits and has failed at least once' },
      limit: { value: 'N', help: 'at most so many, 50 without it' },
    },
    load: async () => (await import('./notification.ts')).list,
  },
  {
    name: 'notification show',
    summary: 'Shows one event: what became of it on each channel, with every attempt.',
    positionals: ['EVENT-ID'],
    load: async () => (await import('./notification.ts')).show,
  },
  {
    name: 'notification retry',
    summary: 'Delivers again, at once: one event, or with --all what was set aside.',
    details: 'Receivers drop what they had already, by the id of the event; agencies get another mail.',
    options: {
      event: { value: 'EVENT-ID', help: 'this one, whatever became of it' },
      all: { help: 'all that were set aside, or that are in the states given' },
      agency: ofAgency,
      channel,
      state,
    },
    load: async () => (await import('./notification.ts')).retry,
  },
  {
    name: 'notification status',
    summary: 'Shows how much waits, fails and was set aside.',
    load: async () => (await import('./notification.ts')).status,
  },
  {
    name: 'notification preference',
    summary: 'Shows how an agency is told of changes of state, and changes it.',
    options: {
      agency: agencyOption,
      mail: { value: 'on|off', help: 'whether it gets mails' },
      language: { value: 'LANGUAGE', help: 'of its mails: es-AR or en' },
    },
    load: async () => (await import('./notification.ts')).preference,
  },
  {
    name: 'user create',
    summary: 'Makes an account for the dashboard, and shows the link that sets its password.',
    details: 'The link is good once, for 7 days. Give either --agency or --operator.',
    options: {
      email: { value: 'EMAIL', required: true, help: 'with which the person signs in' },
      agency: { value: 'SLUG', help: 'the agency of the person' },
      role: { value: 'ROLE', help: 'owner (the default) or member, of the agency' },
      name: { value: 'NAME', help: 'of the person; by default the beginning of the email' },
      operator: { help: 'looks after all agencies, and belongs to none' },
    },
    load: async () => (await import('./user.ts')).create,
  },
  {
    name: 'user link',
    summary: 'Makes a new link that sets the password of an account, and shows it.',
    details: 'For who lost the invitation or the password. It is good once, for an hour.',
    options: { email: { value: 'EMAIL', required: true, help: 'of the account' } },
    load: async () => (await import('./user.ts')).link,
  },
  {
    name: 'address recompute',
    summary:
      'Recomputes the keys by which addresses are compared, where older rules made them. The server does so too, when it starts.',
    load: async () => (await import('./address.ts')).recompute,
  },
  {
    name: 'demo',
    summary:
      'Fills an empty database with demonstration agencies, listings and keys; later it shows the keys again.',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'migrate',
    summary: 'Applies the migrations that the database lacks. The server and the other commands do so too.',
    load: async () => (await import('./migrate.ts')).migrateDatabase,
  },
  {
    name: 'doctor',
    summary:
      'Checks the settings, the database, the signing secrets, the photo storage, the geocoder, mail and marketplace.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
]
