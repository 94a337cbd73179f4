/** The commands about people of the dashboard, and about the audit log of their actions. */
import { linkSeconds } from '../../limits/sizes.ts'
import { formats } from '../../platform/web/language/format.ts'
import type { Command } from './command.ts'
import { group } from './group.ts'

const { wait } = formats.en

export const peopleCommands: readonly Command[] = [
  ...group('user', () => import('./commands/user.ts'), {
    create: {
      summary: 'Creates a dashboard account and shows the link to set its password.',
      details: `The link works once and expires in ${wait(linkSeconds.invitation)}. Give either --agency or --operator.`,
      options: {
        email: { value: 'EMAIL', required: true, help: 'to sign in with' },
        agency: { value: 'SLUG', help: "the person's agency" },
        role: {
          value: 'ROLE',
          choices: ['owner', 'member'],
          help: 'owner (the default) or member of the agency',
        },
        name: { value: 'NAME', help: "the person's name; default: the email up to its @" },
        operator: { help: 'creates an operator, who manages all agencies and belongs to none' },
      },
    },
    link: {
      summary: 'Creates a new link to set the password of an account and shows it.',
      details: `For someone who lost the invitation or the password. The link works once and expires in ${wait(linkSeconds.reset)}.`,
      options: { email: { value: 'EMAIL', required: true, help: 'the email of the account' } },
    },
  }),
  ...group('person', () => import('./commands/person.ts'), {
    export: {
      summary: 'Prints what the service keeps about a person of the dashboard, without secrets.',
      positionals: ['EMAIL'],
    },
    erase: {
      summary:
        'Erases a person of the dashboard: account, sessions, and the name in histories and audit log.',
      details:
        'It cannot be undone. The last owner of an agency and the last operator cannot be erased: give the role to someone else first. See docs/operations/personal-data.md.',
      positionals: ['EMAIL'],
    },
  }),
  ...group('audit', () => import('./commands/audit.ts'), {
    export: {
      summary: 'Prints the audit log, oldest first: a line of JSON for each entry, with its number and hash.',
      details:
        'See docs/operations/personal-data.md for how long it may be kept, and docs/security.md for the hashes.',
      options: {
        since: { value: 'ISO-DATE', help: 'only entries from then on, such as 2027-03-31 (00:00 UTC)' },
        agency: { value: 'SLUG', help: 'only entries about this agency' },
      },
    },
  }),
]
