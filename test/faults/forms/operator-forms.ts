/** Forms of the operator's console that agencies do not have. */
import { setAgencyActive } from '../../../src/agencies/agencies.ts'
import { now } from '../../../src/platform/db/statements/now.ts'
import type { Fields } from '../../pages/dashboard/form-fields.ts'
import { createListing, type Form, type Setting } from './form.ts'
import { createMember } from './office-forms.ts'

const home = '/dashboard/operator'
const agencyPath = ({ subject }: Setting): string => `${home}/agencies/${subject.agency.slug}`

/** A form of the agency's page. @param page below the agency's own */
const ofAgency = (
  name: string,
  page: string,
  fieldsOf: (setting: Setting) => Fields,
  arrange: (setting: Setting) => Promise<unknown> = async () => {},
): Form => ({
  name: `${home}/agencies/:agency/${name}`,
  path: `${home}/agencies/:agency/${name}`,
  by: 'operator',
  async prepare(setting) {
    await arrange(setting)
    const own = agencyPath(setting)
    return { page: `${own}${page}`, action: `${own}/${name}`, fields: fieldsOf(setting) }
  },
})

const limit = { max_reads_per_minute: '100' }

/** A form about notifications. Its entry in the audit log follows each agency's transaction. @param pageOf the page, by event */
const ofNotifications = (path: string, pageOf: (event: string) => string, fields: Fields = {}): Form => ({
  name: `${home}/notifications/${path}`,
  path: `${home}/notifications/${path}`,
  by: 'operator',
  async prepare(setting) {
    const { db } = setting.t.deps
    const { id } = setting.subject.agency
    await createListing(setting)
    await db
      .updateTable('notification_deliveries')
      .set({ state: 'set_aside', ended_at: now(setting.t.clock) })
      .where('agency_id', '=', id)
      .execute()
    const { event_id: event } = await db
      .selectFrom('notification_deliveries')
      .select('event_id')
      .where('agency_id', '=', id)
      .where('channel', '=', 'mail')
      .executeTakeFirstOrThrow()
    const page = `${home}/notifications${pageOf(event)}`
    return { page, action: `${page}/retry`, fields }
  },
})

export const operatorForms: readonly Form[] = [
  {
    name: `${home}/agencies/:agency/listings/:listing/restore`,
    path: `${home}/agencies/:agency/listings/:listing/restore`,
    by: 'operator',
    // docs/architecture.md: the history commits with the change, and an operator's entry in the audit log follows.
    apart: ['audit_log'],
    async prepare(setting) {
      const { t, subject } = setting
      const { id } = await createListing(setting)
      await t.ask('DELETE', `/properties/${id}`, { key: subject.writeKey })
      const own = `${agencyPath(setting)}/listings/${id}`
      return { page: own, action: `${own}/restore`, fields: {} }
    },
  },
  ofAgency('deactivate', '/deactivate', ({ subject }) => ({ confirm: subject.agency.slug })),
  ofAgency(
    'activate',
    '',
    () => ({}),
    ({ t, subject }) => setAgencyActive(t.deps.db, subject.agency.slug, false, t.clock),
  ),
  ofAgency('limits', '', () => limit),
  ofAgency(
    'limits/clear',
    '',
    () => ({}),
    async (setting) => {
      await setting.who.get(agencyPath(setting))
      await setting.who.submit(`${agencyPath(setting)}/limits`, limit)
    },
  ),
  {
    name: `${home}/agencies/:agency/people/:person/factor`,
    path: `${home}/agencies/:agency/people/:person/factor`,
    by: 'operator',
    async prepare(setting) {
      const { db, secretBox } = setting.t.deps
      const { id } = await createMember(setting)
      await db
        .updateTable('accounts')
        .set({ totp_secret: secretBox.seal('JBSWY3DPEHPK3PXP'), totp_confirmed_at: now(setting.t.clock) })
        .where('id', '=', id)
        .execute()
      const page = `${agencyPath(setting)}/people`
      return { page, action: `${page}/${id}/factor`, fields: {} }
    },
  },
  {
    name: `${home}/new-agency`,
    path: `${home}/new-agency`,
    by: 'operator',
    prepare: async ({ subject }) => ({
      page: `${home}/new-agency`,
      action: `${home}/new-agency`,
      fields: { name: 'Otra', slug: `${subject.agency.slug}-b`, email: '' },
    }),
  },
  ofNotifications('retry', () => ''),
  ofNotifications(':event/:channel/retry', (event) => `/${event}/mail`),
]
