/** The application and a browser, for a file of tests. */
import type { Browser } from 'playwright-core'
import { type TestApp, testApp, type TestAppOptions } from '../app/app.ts'
import { startBrowser } from './browser.ts'

/**
 * Starts the application and then a browser. If the browser does not start, the application is closed; otherwise it would keep the process
 * running.
 * @param switchesFor further switches of the browser
 */
export async function appInBrowser(
  options: TestAppOptions = {},
  switchesFor: (t: TestApp) => readonly string[] = () => [],
): Promise<{ t: TestApp; browser: Browser; close: () => Promise<void> }> {
  await using opening = new AsyncDisposableStack()
  const t = opening.adopt(await testApp(options), (app) => app.close())
  const browser = opening.adopt(await startBrowser(...switchesFor(t)), (started) => started.close())
  const opened = opening.move()
  return { t, browser, close: () => opened.disposeAsync() }
}
