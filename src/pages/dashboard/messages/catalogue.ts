/** Every text of the dashboard, by language. */
import { listingWords } from '../../../platform/web/listing-words.ts'
import type { PageLanguage } from '../../../platform/web/language.ts'
import { account } from './account.ts'
import { agency } from './agency.ts'
import { audit } from './audit.ts'
import { console } from './console.ts'
import { form } from './form.ts'
import { frame } from './frame.ts'
import { listings } from './listings.ts'
import { map } from './map.ts'
import { operator } from './operator.ts'
import { flash } from './flash.ts'
import { photos } from './photos.ts'
import { refusals } from './refusals.ts'
import { requests } from './requests.ts'
import { settings } from './settings.ts'
import { test } from './test.ts'
import { inLanguage } from './text.ts'
import { visits } from './visits.ts'
import { work } from './work.ts'

const texts = {
  ...frame,
  ...account,
  ...agency,
  listings,
  listingForm: form,
  map,
  ...operator,
  console,
  ...settings,
  requests,
  visits,
  ...photos,
  test,
  work,
  audit,
  flash,
  ...refusals,
}

function catalogueIn(language: PageLanguage) {
  const own = inLanguage(texts, language)
  const words = listingWords[language]
  const actions = { ...words.stateChanges, ...own.listings.actions }
  const details: Readonly<Record<string, string>> = own.audit.details
  return { ...own, audit: { ...own.audit, details }, listings: { ...words, ...own.listings, actions } }
}

export const es = catalogueIn('es')
export type Messages = typeof es
export const en: Messages = catalogueIn('en')
