/** Forms of signing in and out, of links in mails, and of the person's own account. */
import { generateSync } from 'otplib'
import { createAccount } from '../../../src/access/accounts/accounts.ts'
import { makeLink } from '../../../src/access/accounts/mails/links.ts'
import type { Mail } from '../../../src/delivery/mails/mailer.ts'
import type { Fields } from '../../pages/dashboard/form-fields.ts'
import {
  addPasskey,
  confirmResponse,
  newPasskey,
  passkeyId,
  passkeySignInPath,
  passkeysPath,
  signInResponse,
} from '../../pages/dashboard/pages/account/passkey-responses.ts'
import { visitor, type Visitor } from '../../pages/dashboard/visitor.ts'
import type { DevicePasskey } from '../../support/browser/authenticator.ts'
import { password } from '../../support/app/people.ts'
import { type Form, onPage, type Setting } from './form.ts'
import { requestEmail } from './office-forms.ts'

const account = '/dashboard/account'
const factor = `${account}/second-factor`
const newPassword = 'otra clave bien larga'

/** The code that an authenticator shows for the secret on the page. */
const codeOn = (page: string): string => {
  const secret = (/id="totp-secret"[^>]*>([^<]+)</.exec(page)?.[1] ?? '').replaceAll(/\s/g, '')
  return generateSync({ secret })
}

/** Turns the second factor on. @returns a recovery code */
async function turnOn(who: Visitor): Promise<string> {
  const { text } = await who.get(factor)
  const done = await who.post(factor, { code: codeOn(text), current: password })
  return /<li>([\w-]{11})<\/li>/.exec(done.text)?.[1] ?? ''
}

const withFactor = (path: string): Form => ({
  name: path,
  path,
  async prepare({ who }) {
    await turnOn(who)
    return { page: path, action: path, fields: { current: password } }
  },
})

/** Adds two passkeys and removes the password. @returns one of the passkeys */
async function goWithout(who: Visitor): Promise<DevicePasskey> {
  const passkey = await addPasskey(who)
  await addPasskey(who, 'Otra')
  await who.submit(`${account}/password/remove`, { current: password })
  return passkey
}

/** A form of the passkey page. */
const ofPasskey = (name: string, fields: Fields): Form => ({
  name: `${passkeysPath}/:passkey/${name}`,
  path: `${passkeysPath}/:passkey/${name}`,
  async prepare({ who }) {
    await addPasskey(who)
    const page = `${passkeysPath}/${await passkeyId(who)}`
    return { page, action: `${page}/${name}`, fields }
  },
})

/** Opens the link of a mail, which moves its token into a cookie. */
const openLink = (who: Visitor, text = ''): Promise<unknown> =>
  who.get(/(\/dashboard\/[\w-]+\/[\w-]{43})/.exec(text)?.[1] ?? '')

/** A form behind a link for a password. */
const ofLink = (purpose: 'invitation' | 'reset'): Form => ({
  name: `/dashboard/password, after an ${purpose === 'reset' ? 'email' : purpose}`,
  path: '/dashboard/password',
  by: 'visitor',
  async prepare(setting) {
    const { t, subject, who } = setting
    const { db } = t.deps
    const input = {
      email: `new@${subject.agency.slug}.example`,
      name: 'Eva',
      role: 'member',
      agencyId: subject.agency.id,
    } as const
    const { id } = purpose === 'reset' ? setting.account : await createAccount(db, input, t.clock)
    await openLink(who, `/dashboard/welcome/${await makeLink(db, id, purpose, t.clock)}`)
    const name = purpose === 'reset' ? null : 'Eva Luna'
    return {
      page: '/dashboard/password',
      action: '/dashboard/password',
      fields: { name, password: newPassword },
    }
  },
})

const lastMailTo = (mails: readonly Mail[], { slug }: { slug: string }): Mail | undefined =>
  mails.findLast(({ to }) => to.includes(slug))

/** Signs the person in elsewhere too. */
async function signInElsewhere({ t, account: { email } }: Setting): Promise<void> {
  await visitor(t).submit('/dashboard/sign-in', { email, password })
}

export const accountForms: readonly Form[] = [
  {
    name: '/dashboard/sign-in',
    path: '/dashboard/sign-in',
    by: 'visitor',
    async prepare(setting) {
      // The first sign-in of an account sends no mail, and later ones do.
      await signInElsewhere(setting)
      const { email } = setting.account
      return { page: '/dashboard/sign-in', action: '/dashboard/sign-in', fields: { email, password } }
    },
  },
  {
    name: '/dashboard/second-factor',
    path: '/dashboard/second-factor',
    async prepare({ who, account: { email } }) {
      const code = await turnOn(who)
      await who.submit('/dashboard/sign-out')
      await who.submit('/dashboard/sign-in', { email, password })
      return { page: '/dashboard/second-factor', action: '/dashboard/second-factor', fields: { code } }
    },
  },
  onPage('/dashboard/sign-out', '/dashboard', {}),
  onPage('/dashboard/language', '/dashboard', { language: 'en' }),
  ofLink('invitation'),
  ofLink('reset'),
  {
    name: '/dashboard/confirm-email',
    path: '/dashboard/confirm-email',
    async prepare(setting) {
      const { app, subject, who } = setting
      await requestEmail(setting)
      await openLink(who, lastMailTo(app.mails, subject.agency)?.text)
      return { page: '/dashboard/confirm-email', action: '/dashboard/confirm-email', fields: {} }
    },
  },
  onPage(`${account}/profile`, account, { name: 'Eva Luna', language: 'en' }),
  onPage(`${account}/mails`, account, { key_reminders: null }),
  onPage(`${account}/password`, account, { current: password, password: newPassword }),
  {
    name: `${account}/sessions/others`,
    path: `${account}/sessions/others`,
    async prepare(setting) {
      await signInElsewhere(setting)
      return { page: account, action: `${account}/sessions/others`, fields: {} }
    },
  },
  {
    name: `${account}/sessions/:session/end`,
    path: `${account}/sessions/:session/end`,
    async prepare(setting) {
      await signInElsewhere(setting)
      const { text } = await setting.who.get(account)
      const [action = ''] = /\/dashboard\/account\/sessions\/[\da-f-]{36}\/end/.exec(text) ?? []
      return { page: account, action, fields: {} }
    },
  },
  {
    name: factor,
    path: factor,
    prepare: async () => ({
      page: factor,
      action: factor,
      fields: (page) => ({ code: codeOn(page), current: password }),
    }),
  },
  withFactor(`${factor}/codes`),
  withFactor(`${factor}/off`),
  {
    name: passkeySignInPath,
    path: passkeySignInPath,
    async prepare({ who }) {
      const passkey = await addPasskey(who)
      await who.submit('/dashboard/sign-out')
      const assertion = await signInResponse(who, passkey)
      return { page: '/dashboard/sign-in', action: passkeySignInPath, fields: { assertion } }
    },
  },
  {
    name: passkeysPath,
    path: passkeysPath,
    async prepare({ who }) {
      const { credential } = await newPasskey(who)
      return {
        page: passkeysPath,
        action: passkeysPath,
        fields: { name: 'Llave', current: password, credential },
      }
    },
  },
  {
    name: `${passkeysPath}, without a password`,
    path: passkeysPath,
    async prepare({ who }) {
      const passkey = await goWithout(who)
      const { credential } = await newPasskey(who)
      const assertion = await confirmResponse(who, passkey)
      return { page: passkeysPath, action: passkeysPath, fields: { name: 'Tercera', assertion, credential } }
    },
  },
  ofPasskey('name', { name: 'Teléfono' }),
  ofPasskey('remove', { current: password }),
  {
    name: `${account}/password/remove`,
    path: `${account}/password/remove`,
    async prepare({ who }) {
      for (const name of ['Una', 'Otra']) await addPasskey(who, name)
      const path = `${account}/password/remove`
      return { page: path, action: path, fields: { current: password } }
    },
  },
]
