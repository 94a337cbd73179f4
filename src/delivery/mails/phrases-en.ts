/** English: the texts of mails. */
import { linkSeconds } from '../../limits/table.ts'
import { formats } from '../../platform/web/format.ts'
import { listingWords } from '../../platform/web/listing-words.ts'
import type { MailTexts } from './phrases-es.ts'

const notYours =
  'If this was you, you can ignore this email. If not, change your password now and tell the operator of the service.'

const notices: MailTexts['notices'] = {
  hello: (name) => `Hello ${name},`,
  password_changed: (service, when) => [
    `The password of your ${service} account has changed`,
    `The password of your ${service} account was changed on ${when}.`,
    notYours,
  ],
  factor_on: (service, when) => [
    `Two-step verification is on for your ${service} account`,
    `Two-step verification was turned on for your ${service} account on ${when}. Signing in now also asks for a code.`,
    notYours,
  ],
  factor_off: (service, when, by) => [
    `Two-step verification is off for your ${service} account`,
    by === null
      ? `Two-step verification was turned off for your ${service} account on ${when}. Your password alone now signs you in.`
      : `${by}, an operator of ${service}, turned off two-step verification for your account on ${when}. Your password alone now signs you in.`,
    by === null
      ? notYours
      : 'If you asked for this, turn it on again when you can. If not, change your password now and tell the operator of the service.',
  ],
  recovery_codes: (service, when) => [
    `New recovery codes for your ${service} account`,
    `New recovery codes were created for your ${service} account on ${when}. The old ones no longer work.`,
    notYours,
  ],
  writing_key: (key, prefix, agency, by, when) => [
    `New key with write access: “${key}”`,
    by === null
      ? `On ${when}, the key “${key}” (${prefix}…) was created for ${agency} from the command line of the service. It has write access.`
      : `On ${when}, ${by} created the key “${key}” (${prefix}…) for ${agency}. It has write access.`,
    'If you did not expect it, revoke it and find out who created it and why.',
  ],
  agency_email: (agency, service, from, to, when) => [
    `The email of ${agency} has changed`,
    to === null
      ? `The email of ${agency} on ${service}, ${from}, was removed on ${when}. The agency no longer gets enquiries or notifications by email.`
      : from === null
        ? `Since ${when}, the email of ${agency} on ${service} is ${to}. Enquiries and notifications go there.`
        : `The email of ${agency} on ${service} changed on ${when} from ${from} to ${to}. Enquiries and notifications go there.`,
    'If you did not expect this, ask the agency’s owners who did it: the activity log shows it. If nobody knows, tell the operator of the service.',
  ],
}

const links: MailTexts['links'] = {
  invitationSubject: (service) => `You have been invited to ${service}`,
  invitation: (agency, service) => [
    'Hello,',
    `${agency} has invited you to its dashboard on ${service}. Use this link to choose your password. It works once and expires in ${formats.en.wait(linkSeconds.invitation)}.`,
    'If you did not expect this invitation, you can ignore it.',
  ],
  invitationLink: 'Accept the invitation',
  invitedElsewhere: (agency, service) => [
    'Hello,',
    `${agency} has invited you to its dashboard on ${service}, but this email already has an account, and each account opens only one dashboard. Your account has not changed.`,
    'If you want to join, ask the agency to invite another email of yours. We did not tell them that this one is in use. If you did not expect this invitation, you can ignore it.',
  ],
  signInLink: 'Sign in to your account',
  resetSubject: (service) => `Reset your ${service} password`,
  reset: (name, service) => [
    `Hello ${name},`,
    `Someone asked to reset the password of your ${service} account. If it was you, use this link to choose a new one. It works once and expires in ${formats.en.wait(linkSeconds.reset)}. If it was not you, you can ignore this email.`,
  ],
  resetLink: 'Choose a new password',
  agencyEmailSubject: (agency, service) => `Confirm the email of ${agency} on ${service}`,
  agencyEmail: (agency, service) => [
    'Hello,',
    `${agency} wants to use this email on ${service}: to get visitors’ enquiries and notifications of changes, and to show it on its public pages. Confirm it with this link. It works once and expires in ${formats.en.wait(linkSeconds.agency_email)}.`,
    'Until you confirm it, it is not used. If you did not expect this email, you can ignore it.',
  ],
  agencyEmailLink: 'Confirm the email',
  settingsLink: 'View the agency’s details',
  keyEndsSubject: (key, days) => `The key “${key}” expires in ${days} days`,
  keyEnds: (name, key, prefix, agency, date) => [
    `Hello ${name},`,
    `The key “${key}” (${prefix}…) of ${agency} expires on ${date}. The systems that use it will stop working then.`,
    'Rotate it in the dashboard. The new key has the same configuration, and the old one keeps working until you revoke it.',
  ],
  keyEndsLink: 'View key',
}

const changes: MailTexts['changes'] = {
  event: listingWords.en.stateChanges,
  reason: listingWords.en.closeReasons,
  untitled: 'Untitled listing',
  subject: (count) => `${count} changes to your listings`,
  greeting: (agency) => `Hello ${agency},`,
  opening: (count, service) =>
    count === 1
      ? `One of your listings on ${service} has changed.`
      : `There were ${count} changes to your listings on ${service}.`,
  closedFor: (price) => `Closing price: ${price}`,
  closedOn: (date) => `Closing date: ${date}`,
  by: (actor) => `by ${actor}`,
  systems: new Map([
    ['command line', 'the operator of the service'],
    ['demonstration', 'the demonstration data'],
  ]),
  inDashboard: 'View in the dashboard',
  publicPage: 'View the public page',
}

const foot: MailTexts['foot'] = {
  changes: (service) => `This is how ${service} tells you about changes to the state of your listings.`,
  chooseMails: 'Choose which emails to get',
  stop: 'Stop these emails',
  keyReminder: 'You get this reminder as an owner of the agency.',
  chooseReminders: 'Change this in your account',
  always: 'For security, this email is always sent.',
  asked: (service) => `This email was sent by ${service}.`,
}

const enquiries: MailTexts['enquiries'] = {
  subjectListing: (name, title) => `Enquiry from ${name}: ${title}`,
  subjectAgency: (name) => `Enquiry from ${name}`,
  askedListing: (name, title, code) => `${name} asked about “${title}” (code ${code}):`,
  askedAgency: (name) => `${name} asked from your page:`,
  email: (email) => `Email: ${email}`,
  phone: (phone) => `Phone: ${phone}`,
  reply: 'To answer, reply to this email.',
  callBack: 'They left no email: call or text the phone number.',
  openListing: 'View the listing in the dashboard',
  openAgency: 'Open the dashboard',
  publicPage: 'View the public page',
  turnOff: 'Remove the enquiry form',
  foot: 'You get this email because your public pages have an enquiry form. The visitor’s details are kept nowhere else.',
}

export const english: MailTexts = { links, notices, changes, enquiries, foot }
