/** The table of commands: their arguments and their help. A command's code is loaded when it is called. */
import { allScopes } from '../../access/keys/key-rules.ts'
import { keyDays, sizeLimits } from '../../limits/sizes.ts'
import { maxOfLimit } from '../../limits/table.ts'
import { channels, deliveryStates } from '../../delivery/notifications/outbox.ts'
import type { Command, Option } from './command.ts'
import { dataCommands } from './data-commands.ts'
import { group } from './group.ts'
import { peopleCommands } from './people-commands.ts'

const agencyOption: Option = { value: 'SLUG', required: true, help: 'the agency, by its slug' }
const listingOptions: Readonly<Record<string, Option>> = {
  agency: { ...agencyOption, help: 'the agency, by its slug, or SLUG-test: its test environment' },
  id: { value: 'CODE', required: true, help: "the listing's public code or uuid" },
}
const ofAgency: Option = { value: 'SLUG', help: 'only notifications of this agency' }
const channel: Option = {
  value: 'CHANNEL',
  choices: channels,
  help: `${channels.join(' or ')}; default: both`,
}
const state: Option = {
  value: 'STATE',
  multiple: true,
  choices: deliveryStates,
  help: `one of ${deliveryStates.join(', ')}`,
}

export const commands: readonly Command[] = [
  ...group('agency', () => import('./commands/agency.ts'), {
    create: {
      summary: 'Creates an agency.',
      options: {
        name: { value: 'NAME', required: true, help: 'its name, as pages show it' },
        slug: {
          value: 'SLUG',
          required: true,
          help: 'its name in URLs: lowercase letters, digits, single hyphens',
        },
        email: { value: 'EMAIL', help: 'receives notifications of state changes, and is shown to visitors' },
      },
    },
    list: { summary: 'Lists the agencies.' },
    deactivate: {
      summary: 'Deactivates an agency: its keys stop working, and its public pages and photos are hidden.',
      positionals: ['SLUG'],
    },
    activate: {
      summary: 'Activates an agency again, with its keys, pages and photos.',
      positionals: ['SLUG'],
    },
    contact: {
      summary: "Sets the contact details on an agency's public pages, besides its email.",
      details:
        'Omitted options keep their values; "none" removes one. Without options, shows the current values.',
      positionals: ['SLUG'],
      options: {
        phone: { value: 'NUMBER', help: 'with its country code, such as "+54 11 5555-0142"' },
        whatsapp: { value: 'NUMBER', help: 'the same, for WhatsApp' },
        website: { value: 'URL', help: "the agency's own site" },
      },
    },
    limits: {
      summary: 'Shows or changes the limits of one agency and its keys, for a while or for good.',
      details:
        'Takes effect at the next request, on every instance. Names are those of GET /me: reads and writes per minute and day (of each key), new listings, photos and address tests (of the agency). Defaults are those of the setting LIMITS where the command runs: run it with those of the server.',
      positionals: ['SLUG'],
      options: {
        test: { help: "the limits of the agency's test environment instead of its own" },
        set: {
          value: 'NAME=N',
          multiple: true,
          help: `a new maximum, such as new_listings_per_day=5000: from 0, which allows none, to ${maxOfLimit}`,
        },
        until: {
          value: 'ISO-DATE',
          help: 'when the default applies again, such as 2027-03-31 (00:00 UTC) or 2027-03-31T12:00:00Z; without it, never',
        },
        clear: {
          value: '[NAME]',
          valueOptional: true,
          help: 'back to the default: of this limit, or of all if NAME is left out',
        },
      },
    },
  }),
  ...group('agency', () => import('./commands/demo.ts'), {
    resetTest: {
      summary: "Empties an agency's test environment and fills it with sample listings again.",
      positionals: ['SLUG'],
    },
  }),
  ...group('agency', () => import('./commands/transfer.ts'), {
    export: {
      summary: 'Exports an agency: its profile, its listings with their history, and their pictures.',
      details:
        'Includes removed listings, but no keys and no people. The service can keep running. See docs/operations/transfer.md.',
      positionals: ['SLUG'],
      options: { to: { value: 'DIR', required: true, help: 'an empty or new directory' } },
    },
    import: {
      summary: 'Imports an exported agency as a new one, under new ids. Nobody is notified.',
      details: 'Both installations must run the same version. See docs/operations/transfer.md.',
      positionals: ['DIR'],
      options: { slug: { value: 'NEW', help: 'another slug; default: the exported one' } },
    },
  }),
  ...group('key', () => import('./commands/key.ts'), {
    create: {
      summary: 'Creates a key. It is shown only once.',
      details: `Without --expires, a key with properties:write lasts ${keyDays.write} days, a key with a leads scope ${keyDays.leads} days (the longest allowed), and a read-only key never expires.`,
      options: {
        agency: agencyOption,
        name: { value: 'NAME', required: true, help: 'what the key is for' },
        scope: {
          value: 'SCOPE',
          required: true,
          multiple: true,
          help: `one of ${allScopes.join(', ')}; properties:write includes properties:read`,
        },
        expires: { value: 'ISO-DATE', help: 'such as 2027-03-31 (00:00 UTC) or 2027-03-31T12:00:00Z' },
        origin: {
          value: 'ORIGIN',
          multiple: true,
          help: `a site whose pages may use the key, such as https://www.example.com; up to ${sizeLimits.allowed_origins}, read-only keys only; with --test any key may have http://localhost:3000`,
        },
        test: { help: "make a test key, which sees the agency's test environment instead of its listings" },
        'signature-required': { help: 'require a signature on every request; shows the signing secret' },
      },
    },
    list: {
      summary: 'Lists the keys of an agency, including test keys and those revoked or expired.',
      options: { agency: agencyOption },
    },
    rotate: {
      summary: 'Creates a new key with the configuration of an old one. It is shown only once.',
      details:
        'The old key keeps working until you revoke it. Switch to the new key first, then run `key revoke` for the old one.',
      positionals: ['ID'],
    },
    revoke: { summary: 'Revokes a key immediately and permanently.', positionals: ['ID'] },
    find: {
      summary: 'Shows which agency a key belongs to, for a key that was found in a public place.',
      positionals: ['KEY|PREFIX'],
      options: { revoke: { help: 'revoke it, if exactly one key was found' } },
    },
  }),
  ...group('listing', () => import('./commands/listing.ts'), {
    show: { summary: 'Shows a listing, even if it was removed.', options: listingOptions },
    history: { summary: 'Shows the history of a listing, oldest first.', options: listingOptions },
    restore: {
      summary: 'Restores a removed listing: a draft as a draft, any other as suspended.',
      options: {
        ...listingOptions,
        'external-id': {
          value: 'NEW|none',
          help: 'a new external id, or none, if another listing has taken its own',
        },
      },
    },
  }),
  ...group('notification', () => import('./commands/notification.ts'), {
    list: {
      summary:
        'Lists notifications of state changes, latest first. Without --state: those pending or set aside.',
      options: {
        agency: ofAgency,
        channel,
        state,
        failing: { help: 'only pending ones that have failed at least once' },
        limit: { value: 'N', range: [1, 999_999], help: 'the most to list; default: 50' },
      },
    },
    show: {
      summary: 'Shows one event: its state on each channel, with every attempt.',
      positionals: ['EVENT-ID'],
    },
    retry: {
      summary: 'Delivers again right away: one event, or with --all those set aside.',
      details: 'The marketplace ignores events it already has, by their id. Agencies get another mail.',
      options: {
        event: { value: 'EVENT-ID', help: 'this event, whatever its state' },
        all: { help: 'all that were set aside, or those in the given states' },
        agency: ofAgency,
        channel,
        state,
      },
    },
    status: { summary: 'Counts the notifications pending, failing and set aside.' },
    preference: {
      summary: 'Shows or changes how an agency is notified of state changes.',
      options: {
        agency: agencyOption,
        mail: { value: 'on|off', choices: ['on', 'off'], help: 'whether it gets mails' },
        language: { value: 'LANGUAGE', help: 'of its mails: es-AR or en' },
      },
    },
  }),
  ...peopleCommands,
  ...group('address', () => import('./commands/listing.ts'), {
    recompute: {
      summary:
        'Updates the keys for comparing addresses after their rules changed. A running server does so too.',
    },
  }),
  ...group('', () => import('./commands/demo.ts'), {
    demo: {
      summary:
        'Fills an empty database with demonstration agencies, listings and keys. Run again, it shows the keys.',
    },
  }),
  ...dataCommands,
  ...group('', () => import('./doctor/doctor.ts'), {
    doctor: {
      summary:
        'Checks settings, disk, clock, database, replication, secrets, backups, audit log, photos, geocoder, map tiles, mail and marketplace.',
    },
  }),
  ...group('', () => import('./support/support-bundle.ts'), {
    supportBundle: {
      summary: 'Writes an archive for examining a problem, without secrets, keys or email addresses.',
      details:
        'It contains the results of doctor, the state of the database, and the metrics of the running service.',
      options: {
        to: { value: 'FILE', help: 'the file; default: one named after the time, in this directory' },
      },
    },
  }),
]
