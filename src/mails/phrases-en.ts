/**
 * English: what mails say.
 */
import type { MailTexts } from './phrases-es.ts'

const notYours =
  'If this was you, there is nothing to do. If not, change your password now and tell the operator of the service.'

const notices: MailTexts['notices'] = {
  hello: (name) => `Hello ${name},`,
  password_changed: (service, when) => [
    `The password of your ${service} account has changed`,
    `The password of your ${service} account was changed on ${when}.`,
    notYours,
  ],
  factor_on: (service, when) => [
    `The second factor of your ${service} account is on`,
    `The second factor of your ${service} account was activated on ${when}. Signing in now also asks for a code.`,
    notYours,
  ],
  factor_off: (service, when, by) => [
    `The second factor of your ${service} account is off`,
    by === null
      ? `The second factor of your ${service} account was deactivated on ${when}. Your password alone now signs you in.`
      : `${by}, an operator of ${service}, removed the second factor of your account on ${when}. Your password alone now signs you in.`,
    by === null
      ? notYours
      : 'If you asked for this, turn the second factor on again when you can. If not, change your password now and tell the operator of the service.',
  ],
  recovery_codes: (service, when) => [
    `New recovery codes for your ${service} account`,
    `New recovery codes were made for your ${service} account on ${when}. The old ones no longer work.`,
    notYours,
  ],
  writing_key: (key, prefix, agency, by, when) => [
    `New key that can write: “${key}”`,
    by === null
      ? `On ${when}, the key “${key}” (${prefix}…) was created for ${agency} on the command line of the service. It can write.`
      : `On ${when}, ${by} created the key “${key}” (${prefix}…) for ${agency}. It can write.`,
    'If you did not expect it, revoke it and ask who needs it.',
  ],
}

const links: MailTexts['links'] = {
  invitationSubject: (service) => `You are invited to ${service}`,
  invitation: (agency, service) => [
    'Hello,',
    `${agency} invites you to its dashboard on ${service}. Choose your password with this link; it works once, for 7 days.`,
    'If you did not expect this invitation, you can ignore it.',
  ],
  invitationLink: 'Accept the invitation',
  invitedElsewhere: (agency, service) => [
    'Hello,',
    `${agency} invited you to its dashboard on ${service}, but this address already has an account, and an account opens only one dashboard. Your account stays as it is.`,
    'If you want to join, ask the agency to invite another address of yours: we did not say that this one is in use. If you did not expect this invitation, you can ignore it.',
  ],
  signInLink: 'Sign in to your account',
  resetSubject: (service) => `New password for ${service}`,
  reset: (name, service) => [
    `Hello ${name},`,
    `Somebody asked for a new password for your account on ${service}. If it was you, choose it with this link; it works once, for an hour. If not, there is nothing you need to do.`,
  ],
  resetLink: 'Choose another password',
  keyEndsSubject: (key, days) => `The key “${key}” expires in ${days} days`,
  keyEnds: (name, key, prefix, agency, date) => [
    `Hello ${name},`,
    `The key “${key}” (${prefix}…) of ${agency} expires on ${date}. From then on, whatever uses it stops working.`,
    'Rotate it in the dashboard: the new one has the same configuration, and the old one keeps working until you revoke it.',
  ],
  keyEndsLink: 'See the key',
}

const changes: MailTexts['changes'] = {
  event: {
    published: 'Published',
    disabled: 'Suspended',
    reserved: 'Reserved',
    released: 'No longer reserved',
    deleted: 'Removed',
    restored: 'Restored',
  },
  reason: {
    sold: 'sold',
    rented: 'rented',
    sold_by_us: 'sold by the agency',
    sold_by_other: 'sold by others',
    contract_ended: 'contract ended',
    suspended: 'suspended',
    price_change: 'change of price',
    other: 'other reason',
  },
  untitled: 'Untitled listing',
  subject: (count) => `${count} changes to your listings`,
  greeting: (agency) => `Hello, ${agency}:`,
  opening: (count, service) =>
    count === 1
      ? `One of your listings on ${service} has changed.`
      : `There were ${count} changes to your listings on ${service}.`,
  closedFor: (price) => `Closed at: ${price}`,
  closedOn: (date) => `Closed on: ${date}`,
  by: (actor) => `by ${actor}`,
  open: 'Open the listing',
  closing: (service) =>
    `This message is sent automatically with each change of state. If you do not want it, ask whoever runs ${service} to turn off the notices of your agency.`,
}

export const english: MailTexts = { links, notices, changes }
