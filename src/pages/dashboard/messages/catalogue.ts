/** Every text of the dashboard, by language. */
import { inBothLanguages, type Text } from '../../../platform/web/language/both-languages.ts'
import { listingWords } from '../../../platform/web/language/listing-words.ts'
import { account } from './account.ts'
import { agencies } from './agencies.ts'
import { agency } from './agency.ts'
import { audit } from './audit.ts'
import { form } from './form.ts'
import { frame } from './frame.ts'
import { listings } from './listings.ts'
import { map } from './map.ts'
import { operator } from './operator.ts'
import { passkeyReasons, passkeys } from './passkeys.ts'
import { flash } from './flash.ts'
import { photos } from './photos.ts'
import { refusals } from './refusals.ts'
import { requests } from './requests.ts'
import { settings } from './settings.ts'
import { test } from './test.ts'
import { visits } from './visits.ts'
import { work } from './work.ts'

const texts = {
  ...frame,
  ...account,
  ...agency,
  listings: {
    ...listingWords,
    ...listings,
    actions: { ...listingWords.stateChanges, ...listings.actions },
  },
  listingForm: form,
  map,
  ...operator,
  ...agencies,
  ...settings,
  requests,
  visits,
  ...photos,
  test,
  work,
  audit: { ...audit, details: audit.details as Readonly<Record<string, Text<string>>> },
  flash,
  passkeys,
  ...refusals,
  reasons: { ...refusals.reasons, ...passkeyReasons },
}

export const { es, en } = inBothLanguages(texts)
export type Messages = typeof es
