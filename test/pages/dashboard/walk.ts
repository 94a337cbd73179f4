/** Steps shared by walks through the dashboard in a real browser. */
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import type { Messages } from '../../../src/pages/dashboard/messages/catalogue.ts'
import type { TestApp } from '../../support/app/app.ts'
import { password } from '../../support/app/people.ts'
import { type Walker, walker } from '../../support/browser/browser.ts'
import { person } from './visitor.ts'

/** Presses the last button with that name, and waits for the page it leads to. */
export async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).last()
  // The current page may still be loading; this waits for the next one.
  await button.waitFor()
  await page.waitForLoadState('load')
  await Promise.all([page.waitForEvent('load'), button.click()])
}

/** @param email of a `person` */
export async function signIn(page: Page, texts: Messages, email: string): Promise<void> {
  const response = await page.goto('/dashboard/sign-in')
  assert.equal(response?.status(), 200)
  await page.getByLabel(texts.common.email).fill(email)
  await page.getByLabel(texts.common.password).fill(password)
  await press(page, texts.entrance.signIn)
}

/** A new person of the agency, signed in in a window of their own. @param texts of the locale */
export async function signedInWalker(
  { t, browser }: { t: TestApp; browser: Browser },
  role: 'owner' | 'member',
  texts: Messages,
  options: Parameters<typeof walker>[2],
): Promise<Walker> {
  const page = await walker(browser, t.baseUrl, options)
  await signIn(page, texts, (await person(t, role)).email)
  return page
}
