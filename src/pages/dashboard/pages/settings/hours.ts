/** A tab of the settings: when the office is open. */
import type { Hours } from '../../../../agencies/hours.ts'
import { profileSizes } from '../../../../limits/sizes.ts'
import { html, type Html } from '../../../../platform/web/html.ts'
import { errorLine } from '../../../framework/fields.ts'
import { fieldForm } from '../../forms/forms.ts'
import { card } from '../../parts/page-parts.ts'
import type { AgencyRequest } from '../../serving/page.ts'
import { getProfile, saveSettings, settingsPaths, settingsTab } from './settings.ts'

const days = [0, 1, 2, 3, 4, 5, 6] as const
const spanNumbers = Array.from({ length: profileSizes.spans_a_day }, (_, index) => index + 1)

const fieldName = (day: number, span: number, end: 'opens' | 'closes') => `d${day}-${span}-${end}`

async function contents(request: AgencyRequest): Promise<Html> {
  const { t, agency, form, refusal } = request
  const texts = t.settings
  const { hours } = await getProfile(request)
  const time = (day: number, span: number, end: 'opens' | 'closes') => {
    const name = fieldName(day, span, end)
    const value = form.get(name) ?? hours?.[day]?.[span - 1]?.[end === 'opens' ? 0 : 1] ?? ''
    const label = texts[end](texts.weekdays[day] ?? '', span)
    return html`<input class="input" type="time" name="${name}" value="${value}" aria-label="${label}" />`
  }
  const row = (day: number): Html => {
    const problem = refusal.problems[`hours.${day}`]
    return html`<div class="hours-row" id="f-hours.${day}" tabindex="-1">
      <span class="strong">${texts.weekdays[day]}</span>
      ${spanNumbers.map(
        (span) =>
          html`<span class="hours-span"
            >${time(day, span, 'opens')}<span aria-hidden="true">${texts.until}</span
            >${time(day, span, 'closes')}</span
          >`,
      )}
      ${errorLine(`f-hours.${day}`, problem)}
    </div>`
  }
  return card(
    texts.tabs.hours,
    html`<p>${texts.hoursText}</p>
      ${fieldForm(request, agency.path + settingsPaths.hours, html`${days.map(row)}`, t.common.save)}`,
  )
}

async function save(request: AgencyRequest) {
  const time = (day: number, span: number, end: 'opens' | 'closes') =>
    request.form.get(fieldName(day, span, end)) ?? ''
  const hours: Hours = days.map((day) =>
    spanNumbers
      .map((span) => [time(day, span, 'opens'), time(day, span, 'closes')] as const)
      .filter(([from, until]) => from !== '' || until !== ''),
  )
  const isEmpty = hours.every((spans) => spans.length === 0)
  return await saveSettings(request, 'hours', { hours: isEmpty ? null : hours })
}

export const settingsHoursPages = settingsTab('hours', contents, save)
