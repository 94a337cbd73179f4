/** Measures Web Vitals (web.dev) in a browser on a connection as slow as a phone's. */
import type { BrowserContext, Page } from 'playwright-core'

/** 1.6 Mbit/s down, 750 kbit/s up, 150 ms round trip. */
const slowLine = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

type Vitals = {
  /** Milliseconds until the largest element was painted, and which element that is. */
  lcp: number
  largest: string
  /** Milliseconds until the first paint. */
  fcp: number
  /** Cumulative layout shift, and the elements that moved. */
  cls: number
  moved: string[]
}

/** Collects the vitals of every page of the context from now on. */
export async function observeVitals(context: BrowserContext): Promise<void> {
  await context.addInitScript(observe)
}

/** A page of the context on a slow connection, with the bytes transferred. */
export async function slowPage(
  context: BrowserContext,
): Promise<{ page: Page; sent: { bytes: number; requests: number } }> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slowLine)
  const sent = { bytes: 0, requests: 0 }
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sent.bytes += encodedDataLength
    sent.requests += 1
  })
  return { page, sent }
}

export async function vitalsOf(page: Page): Promise<Vitals> {
  return (await page.evaluate('vitals')) as Vitals
}

const observe = `
  globalThis.vitals = { lcp: 0, largest: '', fcp: 0, cls: 0, moved: [] }
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
  const nameOf = (node) => (node?.parentNode?.className ?? '') + ' ' + (node?.nodeName ?? '') + '.' + (node?.className ?? '')
  watch('largest-contentful-paint', ({ startTime, element, url }) => {
    vitals.lcp = startTime
    vitals.largest = url || nameOf(element)
  })
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') vitals.fcp = startTime
  })
  watch('layout-shift', ({ value, hadRecentInput, sources }) => {
    if (hadRecentInput) return
    vitals.cls += value
    vitals.moved.push(...sources.map(({ node }) => nameOf(node)))
  })`
