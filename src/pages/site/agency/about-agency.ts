/** An agency's own description, its broker, its office and its hours. */
import { type Hours, openDays } from '../../../agencies/hours.ts'
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import { logoPath, type PhotoSize, photoSizes } from '../../../listings/photos/names-and-urls.ts'
import type { Phrases } from '../phrases/phrases.ts'
import type { Edition } from '../frame/site.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { excerpt, oneLine } from '../../../platform/web/language/text.ts'

const leadLength = 180

/** The first line of the description, for the top of the agency's page. */
export function leadOf({ about }: Pick<PublicAgency, 'about'>): string | null {
  return about === null ? null : excerpt(about.trim().split('\n', 1)[0] ?? '', leadLength) || null
}

/** A section of the agency's page; null if there is nothing beyond the lead. */
export function aboutAgency(agency: PublicAgency, words: Phrases): Html | null {
  const { address, hours } = agency
  const about = agency.about?.trim() === leadOf(agency) ? null : agency.about
  if (about === null && address === null && hours === null) return null
  return html`<section class="about-agency">
    <h2 dir="auto">${words.aboutAgency(agency.name)}</h2>
    <div class="about-parts">
      ${about !== null && html`<div class="words" dir="auto">${about}</div>`}
      ${
        address !== null &&
        html`<div>
          <h3>${words.office}</h3>
          <p dir="auto">${oneLine(address)}</p>
        </div>`
      }
      ${
        hours !== null &&
        html`<div>
          <h3>${words.hours}</h3>
          <dl class="hours">
            ${openDays(hours).map(
              ({ first, last, spans }) =>
                html`<div>
                  <dt>${words.days(first, last)}</dt>
                  <dd>${words.spans(spans)}</dd>
                </div>`,
            )}
          </dl>
        </div>`
      }
    </div>
  </section>`
}

/** The logo in a box that is white in both schemes, because most logos are made for paper; null if there is none. */
export function logo(
  { site, words }: Edition,
  { logo: name, logo_of: of, name: agency }: PublicAgency,
): Html | null {
  if (name === null) return null
  const path = (size: PhotoSize) => site.basePath + logoPath(of, name, `${size}.webp`)
  return html`<img
    class="logo"
    src="${path('small')}"
    srcset="${path('small')} ${photoSizes.small}w, ${path('medium')} ${photoSizes.medium}w"
    sizes="8rem"
    width="128"
    height="64"
    alt="${words.logoOf(agency)}"
  />`
}

/** The licence, which the law requires at the foot of every page with an offer. */
export function licenceFoot(agency: PublicAgency, words: Phrases): Html | null {
  const { name, broker, licence_college: college, licence_number: number } = agency
  const parts = [
    broker !== null && words.broker(oneLine(broker)),
    college !== null && number !== null && words.licence(oneLine(college), oneLine(number)),
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  return html`<p class="licence" dir="auto">${[name, ...parts].join(' · ')}</p>`
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** schema.org's OpeningHoursSpecification, one for each span. */
export function openingHours(hours: Hours | null): object[] {
  return openDays(hours ?? []).flatMap(({ first, last, spans }) =>
    spans.map(([opens, closes]) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: dayNames.slice(first, last + 1).map((day) => `https://schema.org/${day}`),
      opens,
      closes,
    })),
  )
}
