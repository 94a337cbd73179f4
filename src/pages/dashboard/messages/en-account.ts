/**
 * English: a person’s account, two-step verification, the people, and the email to confirm.
 */
import { keyReminderDays } from '../../../limits/table.ts'
import type { account as spanish } from './es-account.ts'

export const account: typeof spanish = {
  account: {
    profile: 'Profile',
    currentPassword: 'Current password',
    nextPassword: 'New password',
    changePassword: 'Change password',
    factorOff: 'Signing in also asks for a code from your phone, so your password alone is not enough.',
    factorOn: 'On',
    codesLeft: (count) => (count === 1 ? '1 recovery code left.' : `${count} recovery codes left.`),
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    newCodes: 'New recovery codes',
    sessions: 'Active sessions',
    device: 'Device',
    unknownDevice: 'Unknown device',
    address: 'IP address',
    since: 'Since',
    thisOne: 'This session',
    end: 'Sign out',
    endOthers: 'Sign out all others',
    keyReminders: 'Email me about keys that expire soon',
    keyRemindersHint: `${keyReminderDays.first} and ${keyReminderDays.last} days before.`,
  },
  factor: {
    title: 'Turn on two-step verification',
    why: 'With it, nobody can get in with your password alone.',
    step1: '1. Scan the code',
    step1Text: 'Use Google Authenticator, Microsoft Authenticator, 1Password or any other authenticator app.',
    picture: 'QR code for two-step verification',
    openApp: 'Open in the app on this phone',
    byHand: 'Or enter this code in the app:',
    step2: '2. Confirm',
    code: 'Code from the app',
    later: 'Later',
    required: 'Operators of this service need two-step verification. Turn it on to continue.',
    codesTitle: 'Your recovery codes',
    codesText:
      'Keep them somewhere safe: they are shown only now. If you lose your phone, each signs you in once.',
    codesKept: 'I have saved them',
    renew: ['New recovery codes', 'The old ones stop working.', 'Create new codes'],
    remove: ['Turn off two-step verification', 'Your password alone will protect your account.', 'Turn off'],
  },
  people: {
    subtitle: 'People who can sign in to the agency’s dashboard.',
    operators: 'Operators',
    operatorsText: 'People who manage all agencies.',
    role: 'Role',
    factor: 'Two-step verification',
    lastSignIn: 'Last sign-in',
    you: 'You',
    invited: 'Invited',
    disabled: 'Disabled',
    manage: 'Manage',
    invite: 'Invite someone',
    inviteNow: 'Invite',
    inviteAgain: 'Invite again',
    rolesHint:
      'Members manage listings and see keys. Owners also create keys, invite people and change the settings.',
    ownersMay: (owners) =>
      `Keys, people and settings are changed by the owners${owners.length > 0 ? `: ${owners.join(', ')}` : ''}.`,
    noMail:
      'This service does not send email yet. When you invite someone, we will show you a link to pass on.',
    resetLink: 'Password reset link',
    makeOwner: 'Make owner',
    makeMember: 'Make member',
    removeFactor: 'Remove two-step verification',
    disable: 'Disable',
    enable: 'Enable',
    notYourself: 'Someone else has to change your own account.',
    linkTitle: 'Pass this link on',
    linkText: (email) =>
      `It could not be sent by email. Pass it on to ${email} yourself. It works once and is shown only now.`,
    linkWaits: (email) =>
      `The mail server is not accepting messages right now. We will keep trying to email ${email}. If it is urgent, pass the link on yourself: it works once and is shown only now.`,
    linkDone: 'Done',
    tooMany: (wait) =>
      `Too many invitations were sent from this agency or to that email. You can send another in ${wait}.`,
  },
  confirmEmail: {
    title: 'Confirm the email',
    text: (email, agency, service) =>
      `${agency} wants to use ${email} on ${service}. Visitors’ enquiries and notifications of changes will go there, and its public pages will show it.`,
    press: 'Confirm',
    otherwise: 'If you did not expect this, close this page. Nothing changes.',
    done: 'Email confirmed',
    doneText: (email, agency) => `${agency} now uses ${email}.`,
    dead: 'It was used, has expired or was replaced by a newer one. The agency can send another from its settings.',
  },
}
