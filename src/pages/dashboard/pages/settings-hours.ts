/**
 * A tab of the settings: when the office is open.
 */
import type { Hours } from '../../../agencies/details.ts'
import { profileSizes } from '../../../limits/table.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { errorLine } from '../../framework/fields.ts'
import { notRefused, postForm, type Refusal } from '../forms.ts'
import { problemsOf } from '../problems.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAnswer } from '../visit.ts'
import { findProfile, saveSettings, settingsPage, settingsPaths } from './settings.ts'

const days = [0, 1, 2, 3, 4, 5, 6] as const
const turns = Array.from({ length: profileSizes.spans_a_day }, (_, index) => index + 1)

const fieldName = (day: number, turn: number, end: 'opens' | 'closes') => `d${day}-${turn}-${end}`

async function hoursPage(visit: AgencyVisit, refusal: Refusal = notRefused): Promise<PageAnswer> {
  const { t, agency, form } = visit
  const texts = t.settings
  const { hours } = await findProfile(visit)
  const time = (day: number, turn: number, end: 'opens' | 'closes') => {
    const name = fieldName(day, turn, end)
    const value = form.get(name) ?? hours?.[day]?.[turn - 1]?.[end === 'opens' ? 0 : 1] ?? ''
    const label = texts[end](texts.weekdays[day] ?? '', turn)
    return html`<input class="input" type="time" name="${name}" value="${value}" aria-label="${label}" />`
  }
  const row = (day: number): Html => {
    const problem = refusal.problems[`hours.${day}`]
    return html`<div class="hours-row" id="f-hours.${day}" tabindex="-1">
      <span class="strong">${texts.weekdays[day]}</span>
      ${turns.map(
        (turn) =>
          html`<span class="hours-span"
            >${time(day, turn, 'opens')}<span aria-hidden="true">${texts.until}</span
            >${time(day, turn, 'closes')}</span
          >`,
      )}
      ${errorLine(`f-hours.${day}`, problem)}
    </div>`
  }
  const body = html`<section class="card stack">
    <h2>${texts.tabs.hours}</h2>
    <p>${texts.hoursText}</p>
    ${postForm(
      visit,
      agency.path + settingsPaths.hours,
      html`<div class="stack">
        ${days.map(row)}
        <div><button class="button button-primary">${t.common.save}</button></div>
      </div>`,
    )}
  </section>`
  return settingsPage(visit, 'hours', refusal, body)
}

async function save(visit: AgencyVisit): Promise<PageAnswer> {
  const { form } = visit
  const hours: Hours = days.map((day) =>
    turns
      .map(
        (turn) =>
          [
            form.get(fieldName(day, turn, 'opens')) ?? '',
            form.get(fieldName(day, turn, 'closes')) ?? '',
          ] as const,
      )
      .filter(([from, until]) => from !== '' || until !== ''),
  )
  try {
    return await saveSettings(visit, 'hours', {
      hours: hours.every((spans) => spans.length === 0) ? null : hours,
    })
  } catch (error) {
    return await hoursPage(visit, problemsOf(visit, error))
  }
}

export const settingsHoursPages: readonly Page[] = [
  ...agencyPages('GET', settingsPaths.hours, 'owner', (visit) => hoursPage(visit)),
  ...agencyPages('POST', settingsPaths.hours, 'owner', save),
]
