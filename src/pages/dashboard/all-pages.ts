/** The table of the dashboard's pages, joined from the files of `pages/`. */
import { accountPages } from './pages/account/account.ts'
import { agenciesPages } from './pages/operator/agencies.ts'
import { agencyTablePages } from './pages/operator/agency-table.ts'
import { auditPages } from './pages/audit.ts'
import { entrancePages } from './pages/account/entrance.ts'
import { mailLinkPages } from './pages/account/mail-links.ts'
import { factorPages } from './pages/account/factor.ts'
import { findPages } from './pages/operator/find.ts'
import { firstStepPages } from './pages/home/first-steps.ts'
import { healthPages } from './pages/operator/health.ts'
import { keyWritePages } from './pages/keys/key-writes.ts'
import { keyPages } from './pages/keys/keys.ts'
import { limitPages } from './pages/operator/limits-writes.ts'
import { placePages } from './pages/listings/form/find-place.ts'
import { listingEditPages } from './pages/listings/form/listing-edit-pages.ts'
import { listingActions } from './pages/listings/listing-actions.ts'
import { listingsPages } from './pages/listings/list/listings.ts'
import { notificationPages } from './pages/operator/notifications.ts'
import { overviewPages } from './pages/home/overview.ts'
import { passkeyPages } from './pages/account/passkeys.ts'
import { peopleSessionPages } from './pages/people/people-sessions.ts'
import { peoplePages } from './pages/people/people-writes.ts'
import { settingsSlugPages } from './pages/settings/slug.ts'
import { settingsHoursPages } from './pages/settings/hours.ts'
import { settingsLookPages } from './pages/settings/look.ts'
import { settingsMailsPages } from './pages/settings/mails.ts'
import { settingsProfilePages } from './pages/settings/profile.ts'
import { requestPages } from './pages/requests/requests.ts'
import { photoPages } from './pages/listings/photos/photo-writes.ts'
import { testEnvironmentPages } from './pages/test-environment.ts'
import { trafficPages } from './pages/operator/traffic.ts'
import { usagePages } from './pages/usage.ts'
import { visitPages } from './pages/listings/visits.ts'
import { workPages } from './pages/work/work.ts'
import type { Page } from './serving/page.ts'

export const pages: readonly Page[] = [
  ...entrancePages,
  ...mailLinkPages,
  ...overviewPages,
  ...workPages,
  ...listingsPages,
  ...listingEditPages,
  ...listingActions,
  ...placePages,
  ...photoPages,
  ...keyPages,
  ...keyWritePages,
  ...firstStepPages,
  ...usagePages,
  ...requestPages,
  ...testEnvironmentPages,
  ...peoplePages,
  ...peopleSessionPages,
  ...settingsProfilePages,
  ...settingsHoursPages,
  ...settingsLookPages,
  ...settingsSlugPages,
  ...settingsMailsPages,
  ...visitPages,
  ...accountPages,
  ...factorPages,
  ...passkeyPages,
  ...agencyTablePages,
  ...agenciesPages,
  ...findPages,
  ...trafficPages,
  ...limitPages,
  ...notificationPages,
  ...healthPages,
  ...auditPages,
]
