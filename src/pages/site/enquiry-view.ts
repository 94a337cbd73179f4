/** The form to ask an agency something, and what follows it. */
import { enquirySizes } from '../../limits/table.ts'
import { flag, html, type Html } from '../../platform/web/html.ts'
import { oneLine } from '../../platform/web/text.ts'
import { type About, formPath, type Typed } from './enquiry-form.ts'
import { layout } from './layout.ts'
import { agencyPath, type Edition, listingPath } from './site.ts'

export type EnquiryForm = Typed & Readonly<{ token: string }>
export type Problems = Readonly<Record<string, string>>

/** @param problems by field; the empty name is of the form as a whole */
export function enquiryPage(edition: Edition, about: About, form: EnquiryForm, problems: Problems): Html {
  const { words, path } = edition
  const { agency } = about
  const texts = words.enquiry
  const general = problems['']
  const wrong = Object.keys(problems).filter((name) => name !== '')
  return frame(
    edition,
    about,
    texts.title(agency.name),
    html` ${aboutLine(edition, about)} ${agency.test && html`<p class="notice">${texts.test}</p>`}
      ${general !== undefined && html`<p class="notice" role="alert">${general}</p>`}
      ${
        wrong.length > 0 &&
        html`<div class="notice" role="alert">
          <p>${texts.wrong}</p>
          <ul>
            ${wrong.map((name) => html`<li><a href="#e-${name}">${problems[name]}</a></li> `)}
          </ul>
        </div>`
      }
      <form class="enquiry" method="post" action="${path(formPath(about))}">
        <input type="hidden" name="token" value="${form.token}" />
        ${field({ name: 'name', label: texts.name, value: form.name, autocomplete: 'name', most: enquirySizes.name, problems, required: true })}
        ${field({ name: 'email', label: texts.email, value: form.email, type: 'email', autocomplete: 'email', most: 254, problems })}
        ${field({ name: 'phone', label: texts.phone, value: form.phone, type: 'tel', autocomplete: 'tel', most: 30, problems, hint: texts.oneWay })}
        <div class="field">
          <label for="e-message">${texts.message}</label>
          <textarea
            id="e-message"
            name="message"
            rows="6"
            maxlength="${enquirySizes.message}"
            required${described('message', problems)}
          >
${form.message}</textarea>
          ${errorOf('message', problems)}
        </div>
        <div class="visually-hidden" aria-hidden="true">
          <label for="e-website">${texts.leaveEmpty}</label>
          <input id="e-website" name="website" tabindex="-1" autocomplete="off" />
        </div>
        <p class="note">${texts.consent(agency.name)}</p>
        <p><button class="button">${texts.send}</button></p>
      </form>`,
  )
}

export function sentPage(edition: Edition, about: About): Html {
  const { words, path } = edition
  const texts = words.enquiry
  const { agency, listing } = about
  const back = listing === null ? agencyPath(agency.slug) : listingPath(agency.slug, listing.public_id)
  return frame(
    edition,
    about,
    texts.sent,
    html` <p>${agency.test ? texts.test : texts.sentText(agency.name)}</p>
      <p>
        <a class="button" href="${path(back)}"
          >${listing === null ? words.toAgency(agency.name) : texts.back}</a
        >
      </p>`,
  )
}

function frame(edition: Edition, about: About, title: string, body: Html): Html {
  const { agency } = about
  return layout(edition, {
    title,
    path: formPath(about),
    indexed: false,
    styles: ['enquiry.css'],
    brand: { name: agency.name, path: agencyPath(agency.slug) },
    accent: agency.accent,
    body: html`<div class="message enquiring wide">
      <h1>${title}</h1>
      ${body}
    </div>`,
  })
}

function aboutLine({ path, words }: Edition, { agency, listing }: About): Html | null {
  if (listing === null) return null
  const title = oneLine(listing.title ?? '')
  return html`<p>
    <a href="${path(listingPath(agency.slug, listing.public_id))}" dir="auto">${title}</a> ·
    ${words.code(listing.public_id)}
  </p>`
}

type Field = Readonly<{
  name: string
  label: string
  value: string
  type?: string
  autocomplete: string
  most: number
  problems: Problems
  required?: boolean
  hint?: string
}>

function field({
  name,
  label,
  value,
  type = 'text',
  autocomplete,
  most,
  problems,
  required,
  hint,
}: Field): Html {
  return html`<div class="field">
    <label for="e-${name}">${label}</label>
    <input
      id="e-${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      maxlength="${most}"
      ${flag('required', required === true)}${described(name, problems)}
    />
    ${hint !== undefined && html`<p class="note">${hint}</p>`}${errorOf(name, problems)}
  </div>`
}

function described(name: string, problems: Problems): Html | false {
  return problems[name] !== undefined && html` aria-invalid="true" aria-describedby="e-${name}-error"`
}

function errorOf(name: string, problems: Problems): Html | false {
  return problems[name] !== undefined && html`<p class="wrong" id="e-${name}-error">${problems[name]}</p>`
}
