/** A form to send while its steps fail, and helpers to prepare it. */
import type { Account } from '../../../src/access/accounts/accounts.ts'
import { publishable, type TestApp } from '../../support/app/app.ts'
import { accepted, type Shown } from '../../support/app/listings.ts'
import type { Fields } from '../../pages/dashboard/form-fields.ts'
import type { Visitor } from '../../pages/dashboard/visitor.ts'
import type { Subject } from '../effects/agency-state.ts'
import type { FaultyApp } from '../steps/faulty-app.ts'

/** `account`: the one that is signed in; for a visitor's form, the agency's owner, who is not. */
export type Setting = { app: FaultyApp; t: TestApp; subject: Subject; who: Visitor; account: Account }

type Prepared = {
  /** The page that has the form. */
  page: string
  /** The path that the form is sent to. */
  action: string
  /** The fields that the person changes, or a function that reads them from the page. */
  fields: Fields | ((page: string) => Fields)
  file?: readonly [name: string, file: File]
}

export type Form = {
  /** The label in the table of results. */
  name: string
  /** The path as in the table of pages. */
  path: string
  /** By default an owner. */
  by?: 'operator' | 'visitor'
  /** Tables whose rows are written after the effect, as the documentation says. */
  apart?: readonly string[]
  /** Prepares it for an agency of its own. */
  prepare(setting: Setting): Promise<Prepared>
}

export const photoUrl = (name: number | string): string => `https://photos.example/form-${name}.jpg`
export const address = 'Calle Falsa 123'

export async function createListing({ t, subject }: Setting, body: object = {}): Promise<Shown> {
  const photos = [1, 2, 3, 4].map(photoUrl)
  const whole = publishable({ address, photos, ...body })
  return accepted(await t.ask('POST', '/properties', { key: subject.writeKey, body: whole }), 201)
}

/** A form whose page always has it. @param path as in the table of pages */
export const onPage = (path: string, page: string, fields: Fields): Form => ({
  name: path,
  path,
  prepare: async () => ({ page, action: path, fields }),
})
