/** Forms of the public pages. */
import { stopUrl } from '../../../src/delivery/mails/stop-links.ts'
import { createListing, type Form, type Setting } from './form.ts'

/** Gives the agency an email, to which enquiries and notifications go. */
async function withEmail({ t, subject }: Setting): Promise<string> {
  const email = `office@${subject.agency.slug}.example`
  await t.deps.db.updateTable('agencies').set({ email }).where('id', '=', subject.agency.id).execute()
  return email
}

/** The form counts as sent by a program if it is sent at once. */
const thinkingMs = 5_000

/** @param below the agency's own path */
const enquiry = (path: string, below: (setting: Setting) => Promise<string>): Form => ({
  name: path,
  path,
  by: 'visitor',
  async prepare(setting) {
    const { t, subject } = setting
    await withEmail(setting)
    const page = `/inmobiliarias/${subject.agency.slug}${await below(setting)}/consulta`
    const fields = { name: 'Ana Pérez', email: 'ana@mail.example', message: '¿Está disponible?' }
    return {
      page,
      action: page,
      fields: () => {
        t.clock.offsetMs += thinkingMs
        return fields
      },
    }
  },
})

export const visitorForms: readonly Form[] = [
  enquiry('/inmobiliarias/:slug/consulta', async () => ''),
  enquiry('/inmobiliarias/:slug/:code/consulta', async (setting) => `/${(await createListing(setting)).id}`),
  {
    name: '/unsubscribe/:token',
    path: '/unsubscribe/:token',
    by: 'visitor',
    async prepare(setting) {
      const { t, subject } = setting
      const stop = { kind: 'changes', id: subject.agency.id, email: await withEmail(setting) } as const
      const page = stopUrl(t.deps, stop, 'es').replace(t.deps.config.publicBaseUrl, '')
      return { page, action: page, fields: {} }
    },
  },
]
