/** Passkeys in a real browser, with a virtual authenticator: added, used to sign in, and used to confirm without a password. */
// in a browser
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { es } from '../../../../../src/pages/dashboard/messages/catalogue.ts'
import { appInBrowser } from '../../../../support/browser/app-in-browser.ts'
import type { TestApp } from '../../../../support/app/app.ts'
import { noBrowser, type Walker, walker, widths } from '../../../../support/browser/browser.ts'
import { password } from '../../../../support/app/people.ts'
import { person } from '../../visitor.ts'
import { press, signIn } from '../../walk.ts'

const texts = es.passkeys
/** Browsers offer passkeys without https only below `localhost`. */
const origin = 'http://listings.localhost'

let t: TestApp
let browser: Browser
let close: (() => Promise<void>) | undefined
before(async () => {
  if (noBrowser !== false) return
  ;({ t, browser, close } = await appInBrowser({ env: { PUBLIC_BASE_URL: origin } }, ({ baseUrl }) => [
    `--host-resolver-rules=MAP ${new URL(origin).hostname} ${new URL(baseUrl).host}`,
  ]))
})
after(() => close?.())

const open = () => walker(browser, origin, { locale: 'es-AR', width: widths.phone })

async function withAuthenticator(page: Walker) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    verifies: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    clear: () => devtools.send('WebAuthn.clearCredentials', { authenticatorId }),
  }
}

async function signOut(page: Walker): Promise<void> {
  await page.locator('summary', { hasText: es.nav.accountMenu }).click()
  await press(page, es.nav.signOut)
}

describe('passkeys', { skip: noBrowser }, () => {
  test('are added, sign in, and confirm without a password', async () => {
    const { email } = await person(t, 'owner')
    const page = await open()
    const authenticator = await withAuthenticator(page)
    await signIn(page, es, email)
    await page.open('/dashboard/account/passkeys')
    await page.check()
    await page.getByLabel(es.account.currentPassword).fill(password)
    await press(page, texts.addNow)
    await page.check()

    // The device has one already.
    await page.getByLabel(es.account.currentPassword).fill(password)
    await page.getByRole('button', { name: texts.addNow, exact: true }).click()
    await page.getByText(texts.there).waitFor()
    await authenticator.clear()
    await page.getByLabel(es.common.name).fill('Otra')
    await press(page, texts.addNow)
    await signOut(page)

    await page.check()
    await press(page, texts.signIn)
    assert.equal(new URL(page.url()).pathname, '/dashboard')

    await page.open('/dashboard/account/password/remove')
    await page.getByLabel(es.account.currentPassword).fill(password)
    await press(page, texts.withoutPassword[2])
    assert.ok(await page.getByText(texts.noPassword).isVisible())
    await page.check()
    await page.getByLabel(es.account.nextPassword).fill('otra clave bien larga')
    await press(page, texts.setPassword)
    assert.ok(await page.getByText(es.flash.passwordChanged).isVisible())
    await page.context().close()
  })

  test('are refused by a device that cannot verify its user, and the page says so', async () => {
    const { email } = await person(t, 'owner')
    const page = await open()
    const authenticator = await withAuthenticator(page)
    await signIn(page, es, email)
    await page.open('/dashboard/account/passkeys')
    await authenticator.verifies(false)
    await page.getByLabel(es.account.currentPassword).fill(password)
    await page.getByRole('button', { name: texts.addNow, exact: true }).click()
    await page.getByText(texts.failed).waitFor()
    await page.context().close()
  })

  test('are not offered by a browser without them, and the password still signs in', async () => {
    const { email } = await person(t, 'owner')
    const page = await open()
    await page.addInitScript('delete globalThis.PublicKeyCredential')
    await page.open('/dashboard/sign-in')
    assert.ok(await page.getByText(texts.unsupported).isVisible())
    assert.ok(await page.getByRole('button', { name: texts.signIn }).isDisabled())
    await page.check()
    await signIn(page, es, email)
    assert.equal(new URL(page.url()).pathname, '/dashboard')
    await page.context().close()
  })
})
