/**
 * English: the settings of an agency.
 */
import { slugKeptDays } from '../../../limits/table.ts'
import type { settings as spanish } from './es-settings.ts'

export const settings: typeof spanish = {
  settings: {
    subtitle: 'What visitors to the public pages see, and the emails that the agency receives.',
    publicPage: 'View public page',
    tabs: {
      profile: 'Details',
      hours: 'Hours',
      look: 'Logo and colour',
      address: 'URL',
      mails: 'Emails',
    },
    nameHint: 'As shown on the public pages and by the API.',
    contact: 'Contact',
    emailHint: 'Gets visitors’ enquiries and notifications of changes.',
    pendingEmail: {
      title: 'Email not confirmed yet',
      text: (email, current) =>
        current === null
          ? `We sent a link to ${email}. It will be used once someone confirms it there.`
          : `We sent a link to ${email}. Until someone confirms it there, ${current} stays in use.`,
      again: 'Send another link',
      cancel: 'Cancel the change',
      tooMany: (wait) =>
        `Too many emails were sent from this agency or to that email. You can send another in ${wait}.`,
    },
    phone: 'Phone',
    phoneHint: 'For example 11 5555-0142.',
    whatsapp: 'WhatsApp',
    whatsappHint: 'For example 11 5555-0142, without 0 or 15.',
    website: 'Website',
    websiteHint: 'For example www.agency.com.ar.',
    office: 'Office address',
    officeHint: 'Street, number and city.',
    licence: 'Licence',
    licenceText:
      'The law requires it with every published listing. It appears at the foot of the public pages.',
    number: 'Number',
    numberHint: 'For example 1234.',
    college: 'Professional college',
    collegeHint: 'For example CUCICBA.',
    broker: 'Licensed broker',
    brokerHint: 'First and last name.',
    about: 'About the agency',
    aboutHint: (most) => `Up to ${most} characters, plain text. Shown on the agency’s page.`,
    hoursText: 'Leave closed days empty. The second period is optional.',
    weekdays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    opens: (day, turn) => `${day}, period ${turn}: opens`,
    closes: (day, turn) => `${day}, period ${turn}: closes`,
    until: 'to',
    logo: 'Logo',
    logoText: (megabytes) =>
      `JPEG, PNG or WebP, up to ${megabytes} MB. Shown on the agency’s page and on those of its listings, on white.`,
    logoNow: 'Current logo',
    logoFile: 'Logo file',
    logoUpload: 'Upload logo',
    logoRemove: 'Remove logo',
    colour: 'Colour',
    colourText:
      'Used for the buttons and links of the public pages. Where needed, we make it lighter or darker so that it is easy to read.',
    ownColour: 'Use the agency’s own colour',
    chosenColour: 'Chosen colour',
    sample: { light: 'In the light scheme', dark: 'In the dark scheme', text: 'Contact' },
    addressNow: 'The URL of the page is:',
    addressText:
      'If you change the name, the URLs of the page and of all listings change. The old ones keep working: they lead to the new ones.',
    addressLimit: (most, text, days) =>
      `You can change it ${most === 1 ? 'once' : `${text} times`} every ${days} days. Nobody else can take the old name for ${slugKeptDays} days.`,
    addressSystems:
      'If a system or website stores these URLs, or those of the test environment, update them there too.',
    change: 'Change the URL',
    addressTooOften: (wait) => `You have changed it several times. You can change it again in ${wait}.`,
    former: 'Old URLs that lead to the page',
    formerSince: 'In use until',
    formerKept: 'Reserved for this agency',
    formerFree: 'Another agency may take it',
    changesTitle: 'Changes of state',
    changesText: 'Which changes of listings are emailed.',
    mailsAlways:
      'Security emails (passwords, two-step verification, keys with write access) are always sent. Each owner chooses reminders of expiring keys under “My account”.',
  },
  mailPreference: {
    to: (email) => `Sent to ${email}.`,
    noEmail: 'Nothing is sent: the agency has no email. Add it under “Details”.',
    mail: 'Email changes of state',
    language: 'Email language',
    languages: { 'es-AR': 'Spanish', en: 'English' },
  },
}
