/** All forms that write, of the dashboard and of public pages. */
import { accountForms } from './account-forms.ts'
import type { Form } from './form.ts'
import { listingForms } from './listing-forms.ts'
import { officeForms } from './office-forms.ts'
import { operatorForms } from './operator-forms.ts'
import { visitorForms } from './visitor-forms.ts'

export const forms: readonly Form[] = [
  ...listingForms,
  ...officeForms,
  ...accountForms,
  ...operatorForms,
  ...visitorForms,
]

/** Why other forms are not in the table, by the beginning of their paths. */
export const leftOut: Readonly<Record<string, string>> = {
  '/dashboard/find-place': 'stores nothing; its one charge is the one of a saved listing with a lookup',
  '/dashboard/operator/find': 'writes nothing',
  '/dashboard/forgot': 'makes its link after the response, which is the same for emails without an account',
  '/dashboard/test/': 'the handlers of the agency, with its twin',
  '/dashboard/operator/agencies/': 'the handlers of the agency, with an operator',
  '/dashboard/operator/people/': 'the handlers of the people of an agency, with operators',
}
