/** An agency's to-do list, the most useful first: for each kind its number, some examples, and the remedy. */
import { staleDays } from '../../../../limits/sizes.ts'
import { minPhotos } from '../../../../listings/fields/publishable.ts'
import { maxFound, maxStale } from '../../../../listings/reading/warnings/attention.ts'
import { openWarnings } from '../../../../listings/reading/warnings/photo-warnings.ts'
import { missingLink } from '../listings/form/form-parts.ts'
import { empty, linkButton } from '../../parts/page-parts.ts'
import { whyText } from '../operator/delivery-parts.ts'
import { maxShown, type Work } from './find-work.ts'
import { mayManage } from '../keys/keys.ts'
import { listingLink } from '../listings/listing-parts.ts'
import { pinForm } from '../listings/warnings/warnings.ts'
import { missingText, photoFailureText } from '../../forms/problems.ts'
import { listingPath } from '../../requested-listing.ts'
import type { AgencyRequest } from '../../serving/page.ts'
import { icon, type IconName } from '../../../framework/icons.ts'
import { type Html, html, joined, nothing, type Piece } from '../../../../platform/web/html.ts'

/** The importance of an entry: something does not work, needs a look, or could be better. */
type Tone = 'bad' | 'warn' | 'info'

export function workEntry(
  tone: Tone,
  symbol: IconName,
  parts: Readonly<{ title: Piece; text?: Piece; lines?: readonly Html[]; act?: Piece }>,
): Html {
  const { title, text, lines = [], act } = parts
  return html`<li class="work-entry work-${tone}">
    <span class="work-icon">${icon(symbol)}</span>
    <div class="stack-s">
      <h3>${title}</h3>
      ${text !== undefined && html`<p class="small">${text}</p>`}
      ${
        lines.length > 0 &&
        html`<ul class="work-lines">
          ${lines.map((line) => html`<li>${line}</li>`)}
        </ul>`
      }
    </div>
    ${act !== undefined && html`<div class="work-act">${act}</div>`}
  </li>`
}

const link = (request: AgencyRequest, path: string, label: Piece): Html =>
  linkButton(request, `${request.agency.path}${path}`, label)

/** `12`, or `more than 200` if counting stopped there. */
export function countText({ t, format }: AgencyRequest, count: number, max: number): string {
  return count > max ? t.work.page.moreThan(format.number(max)) : format.number(count)
}

/** The host of a photo's URL shows the system that sent the photo. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

function photosEntry(request: AgencyRequest, photos: Work['photos']): Html {
  const [first] = photos
  if (first === undefined) return nothing
  const texts = request.t.work.page.photos
  const lines = photos.map((one) => {
    const { failed } = openWarnings(one.warnings, one.photos)
    const last = failed.at(-1)
    return html`${listingLink(request, one, '#warnings')}:
    ${request.t.listings.photoCount(failed.length)}.${
      last !== undefined &&
      html` <span class="muted"
        ><span class="mono">${hostOf(last.url)}</span>: ${photoFailureText(request, last.why)}</span
      >`
    }`
  })
  const title = texts.title(countText(request, first.listings, maxFound))
  return workEntry('warn', 'photo', { title, lines, act: link(request, '/work/photos', texts.review) })
}

function pinsEntry(request: AgencyRequest, pins: Work['pins']): Html {
  if (pins.length === 0) return nothing
  const texts = request.t.work.page.pins
  const lines = pins
    .slice(0, maxShown)
    .map(
      (one) =>
        html`<div class="row">
          ${listingLink(request, one)} ${pinForm(request, { ...one, next: request.url }, one.likely)}
        </div>`,
    )
  const title = texts.title(countText(request, pins.length, maxFound))
  return workEntry('warn', 'pin', { title, text: texts.text, lines })
}

function unplacedEntry(request: AgencyRequest, unplaced: Work['unplaced']): Html {
  const [first] = unplaced
  if (first === undefined) return nothing
  const texts = request.t.work.page.unplaced
  return workEntry('warn', 'pin', {
    title: texts.title(countText(request, first.listings, maxFound)),
    text: texts.text,
    lines: unplaced.map(
      (one) =>
        html`${listingLink(request, one)}:
          <span class="muted">${[one.address, one.city].filter(Boolean).join(', ')}</span>`,
    ),
    act: link(request, '/work/places', texts.review),
  })
}

function draftsEntry(request: AgencyRequest, drafts: Work['drafts']): Html {
  if (drafts.length === 0) return nothing
  const { base, t, format } = request
  const texts = t.work.page.drafts
  const isReady = drafts.every(({ missing }) => missing.length === 0)
  const lines = drafts.slice(0, maxShown).map((draft) => {
    const form = `${base}${listingPath(request, draft)}/edit`
    const links = draft.missing.map((name) => {
      const count = name === 'photos' ? ` (${draft.photo_count}/${minPhotos})` : ''
      return html`<a href="${missingLink(name, form)}">${missingText(request, name)}${count}</a>`
    })
    const lacks =
      links.length === 0
        ? html`<span class="badge badge-good">${texts.isReady}</span>`
        : html`<span class="small">${texts.lacks} ${joined(links, ', ')}</span>`
    return html`${listingLink(request, draft)} ${lacks}`
  })
  return workEntry('info', 'listings', {
    title: (isReady ? texts.ready : texts.nearly)(format.number(drafts.length)),
    lines,
    act: link(request, '/listings?status=draft&sort=updated', texts.see),
  })
}

function troubleEntry(request: AgencyRequest, trouble: Work['troubles'][number]): Html {
  const { t, format, agency, base } = request
  const texts = t.work.page.keys
  const { key, last } = trouble
  const lastPart =
    last !== null &&
    html`${texts.last}
      <a href="${base}${agency.path}/requests/${last.request_id}"><code>${last.code}</code></a
      >, ${format.ago(last.at)}.`
  const entry = (title: string, text: Piece, path: string, label: string) =>
    workEntry('bad', 'keys', { title, text, act: link(request, path, label) })
  switch (trouble.kind) {
    case 'failing': {
      const counts = texts.failingText(format.number(trouble.failures), format.number(trouble.requests))
      const text = html`${counts} <code>${trouble.code}</code>. ${lastPart}`
      return entry(texts.failing(key.name), text, `/requests/kinds?key=${key.id}`, texts.errors)
    }
    case 'ended': {
      const text = html`${texts.endedText(format.number(trouble.failures))} ${lastPart}`
      return entry(texts.ended(key.name), text, `/keys/${key.id}`, texts.see)
    }
    case 'silent': {
      const text = texts.silentText(format.day(trouble.since))
      return entry(texts.silent(key.name), text, `/requests?key=${key.id}`, texts.requests)
    }
  }
}

function endingEntry(request: AgencyRequest, key: Work['ending'][number]): Html {
  const { t, format } = request
  const title = t.overview.keyEnds(key.name, format.plainDate(key.expires_at ?? ''))
  return workEntry('warn', 'keys', { title, act: link(request, `/keys/${key.id}`, t.work.page.keys.see) })
}

function mailsEntry(request: AgencyRequest, unmailed: Work['unmailed']): Html {
  if (unmailed === null) return nothing
  const { t, format, agency } = request
  const texts = t.work.page.mails
  const why = whyText(request, { why: unmailed.why, detail: null })
  return workEntry('bad', 'notifications', {
    title: texts.title,
    text: html`${texts.text(format.number(unmailed.count))} ${why}`,
    act: mayManage(request) && !agency.isTest ? link(request, '/settings', texts.fix) : undefined,
  })
}

function staleEntry(request: AgencyRequest, stale: number): Html {
  if (stale === 0) return nothing
  const texts = request.t.work.page.stale
  return workEntry('info', 'listings', {
    title: texts.title(countText(request, stale, maxStale), staleDays),
    text: texts.text,
    act: link(request, '/listings?status=published&stale=1', texts.see),
  })
}

/** The whole list in one card, or a cheerful note if it is empty. @param isTitled false if the page's own heading is enough */
export function workPart(request: AgencyRequest, work: Work, isTitled = true): Html {
  const { t, format } = request
  const texts = t.work.page
  const entries = [
    photosEntry(request, work.photos),
    pinsEntry(request, work.pins),
    unplacedEntry(request, work.unplaced),
    draftsEntry(request, work.drafts),
    ...work.troubles.map((one) => troubleEntry(request, one)),
    ...work.ending.map((key) => endingEntry(request, key)),
    mailsEntry(request, work.unmailed),
    staleEntry(request, work.stale),
  ].filter((entry) => entry !== nothing)
  if (entries.length === 0)
    return html`<section class="card work-done">${empty('check', texts.done, texts.doneText)}</section>`
  return html`<section class="card card-flush" id="work">
    ${
      isTitled &&
      html`<div class="card-head">
        <h2>${texts.title}</h2>
        <span class="badge badge-warn">${format.number(entries.length)}</span>
      </div>`
    }
    <ol class="work">
      ${entries}
    </ol>
  </section>`
}
