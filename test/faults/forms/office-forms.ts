/** Forms about the agency: its keys, people, settings and test environment. */
import { randomUUID } from 'node:crypto'
import { createPerson, password } from '../../support/app/people.ts'
import { visitor } from '../../pages/dashboard/visitor.ts'
import { newTestKey } from '../../support/app/test-key.ts'
import { type Fields, fieldsOf } from '../../pages/dashboard/form-fields.ts'
import { type Form, onPage, type Setting } from './form.ts'
import { pictureFile } from './listing-forms.ts'

const ofKey = (name: string, fields: () => Fields): Form => ({
  name: `/dashboard/keys/:key/${name}`,
  path: `/dashboard/keys/:key/${name}`,
  async prepare({ t, subject }) {
    const { id } = await t.newKey(subject.agency.id, { name: 'CRM', scopes: ['properties:read'] })
    return { page: `/dashboard/keys/${id}`, action: `/dashboard/keys/${id}/${name}`, fields: fields() }
  },
})

export function createMember({ t, subject }: Setting) {
  const { slug, id: agencyId } = subject.agency
  const person = { email: `person@${slug}.example`, name: 'Eva', role: 'member', agencyId } as const
  return createPerson(t.deps.db, person, t.clock)
}

const ofPerson = (name: string, fields: Fields): Form => ({
  name: `/dashboard/people/:person/${name}`,
  path: `/dashboard/people/:person/${name}`,
  async prepare(setting) {
    const { id } = await createMember(setting)
    return { page: '/dashboard/people', action: `/dashboard/people/${id}/${name}`, fields }
  },
})

/** A form on the page of a person's sessions, who has one. */
const ofSessions = (name: string, actionOf: (page: string, text: string) => string): Form => ({
  name: `/dashboard/people/:person/sessions/${name}`,
  path: `/dashboard/people/:person/sessions/${name}`,
  async prepare(setting) {
    const { id, email } = await createMember(setting)
    await visitor(setting.t).submit('/dashboard/sign-in', { email, password })
    const page = `/dashboard/people/${id}/sessions`
    const { text } = await setting.who.get(page)
    return { page, action: actionOf(page, text), fields: {} }
  },
})

const settings = '/dashboard/settings'
const look = `${settings}/look`
const inTwoDays = (): string => new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
const emailOf = ({ subject }: Setting): string => `office@${subject.agency.slug}.example`

/** Requests another email of the agency, which has to be confirmed. */
export async function requestEmail(setting: Setting): Promise<void> {
  const { who } = setting
  const { text } = await who.get(settings)
  await who.submit(settings, { ...fieldsOf(text, settings), email: emailOf(setting) })
}

const ofPendingEmail = (name: string): Form => ({
  name: `${settings}/email/${name}`,
  path: `${settings}/email/${name}`,
  async prepare(setting) {
    await requestEmail(setting)
    return { page: settings, action: `${settings}/email/${name}`, fields: {} }
  },
})

const uploadLogo: Form['prepare'] = async () => ({
  page: look,
  action: `${look}/logo`,
  fields: {},
  file: ['logo', await pictureFile()],
})

export const officeForms: readonly Form[] = [
  ...(['live', 'test'] as const).map((kind): Form => ({
    name: `/dashboard/keys/new, a ${kind} key`,
    path: '/dashboard/keys/new',
    prepare: async () => ({
      page: '/dashboard/keys/new',
      action: '/dashboard/keys/new',
      fields: { new_id: randomUUID(), kind, name: 'CRM', scopes: ['properties:write'] },
    }),
  })),
  ofKey('rotate', () => ({ new_id: randomUUID() })),
  ofKey('end', () => ({ revokes_at: inTwoDays() })),
  ofKey('revoke', () => ({})),
  {
    name: '/dashboard/people/invite',
    path: '/dashboard/people/invite',
    prepare: async ({ subject }) => ({
      page: '/dashboard/people',
      action: '/dashboard/people/invite',
      fields: { email: `new@${subject.agency.slug}.example`, name: 'Nueva', role: 'member' },
    }),
  },
  ofPerson('change', { role: 'owner' }),
  ofPerson('link', {}),
  ofSessions('end', (page) => `${page}/end`),
  ofSessions(
    ':session/end',
    (_page, text) => /\/dashboard\/people\/[\w-]+\/sessions\/[\w-]{36}\/end/.exec(text)?.[0] ?? '',
  ),
  onPage(settings, settings, { phone: '+54 11 5555-0142', about: 'Desde 1998.' }),
  {
    name: `${settings}, another email`,
    path: settings,
    prepare: async (setting) => ({ page: settings, action: settings, fields: { email: emailOf(setting) } }),
  },
  ofPendingEmail('again'),
  ofPendingEmail('cancel'),
  onPage(`${settings}/hours`, `${settings}/hours`, { 'd5-1-opens': '10:00', 'd5-1-closes': '13:00' }),
  onPage(`${look}/colour`, look, { own: 'yes', accent: '#aa3300' }),
  { name: `${look}/logo`, path: `${look}/logo`, prepare: uploadLogo },
  {
    name: `${look}/logo/remove`,
    path: `${look}/logo/remove`,
    async prepare({ who }) {
      await who.get(look)
      await who.upload(`${look}/logo`, [['logo', await pictureFile()]])
      return { page: look, action: `${look}/logo/remove`, fields: {} }
    },
  },
  {
    name: `${settings}/address`,
    path: `${settings}/address`,
    prepare: async ({ subject }) => ({
      page: `${settings}/address`,
      action: `${settings}/address`,
      fields: { slug: `${subject.agency.slug}-b` },
    }),
  },
  onPage(`${settings}/mails`, `${settings}/mails`, { mail: null, language: 'en' }),
  onPage(`${settings}/mails/enquiries`, `${settings}/mails`, { takes_enquiries: null }),
  {
    name: '/dashboard/test/reset',
    path: '/dashboard/test/reset',
    async prepare({ t, subject }) {
      await newTestKey(t, subject.agency)
      return { page: '/dashboard/test', action: '/dashboard/test/reset', fields: {} }
    },
  },
]
