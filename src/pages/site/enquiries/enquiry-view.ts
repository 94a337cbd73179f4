/** The enquiry form, and the page that follows it. */
import { emailLength, enquirySizes } from '../../../limits/sizes.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { oneLine } from '../../../platform/web/language/text.ts'
import { fieldId, inputField, type FieldProblems, textareaField } from '../../framework/fields.ts'
import { type About, type EnquiryForm, formPath } from './enquiry-form.ts'
import { siteDocument } from '../frame/site-document.ts'
import { agencyPath, type Edition, listingPath } from '../frame/site.ts'

export function enquiryPage(
  edition: Edition,
  about: About,
  form: EnquiryForm,
  problems: FieldProblems,
): Html {
  const { words, path } = edition
  const { agency, listing } = about
  const texts = words.enquiry
  const general = problems['']
  const wrong = Object.keys(problems).filter((name) => name !== '')
  return frame(
    edition,
    about,
    texts.title(agency.name),
    html` ${
        listing !== null &&
        html`<p>
          <a href="${path(listingPath(agency.slug, listing.public_id))}" dir="auto"
            >${oneLine(listing.title ?? '')}</a
          >
          · ${words.code(listing.public_id)}
        </p>`
      }
      ${agency.test && html`<p class="notice">${texts.test}</p>`}
      ${general !== undefined && html`<p class="notice" role="alert">${general}</p>`}
      ${
        wrong.length > 0 &&
        html`<div class="notice" role="alert">
          <p>${texts.wrong}</p>
          <ul>
            ${wrong.map((name) => html`<li><a href="#${fieldId(name)}">${problems[name]}</a></li> `)}
          </ul>
        </div>`
      }
      <form class="enquiry" method="post" action="${path(formPath(about))}">
        <input type="hidden" name="token" value="${form.token}" />
        ${inputField({ name: 'name', label: texts.name, value: form.name, autocomplete: 'name', maxlength: enquirySizes.name, problems, required: true })}
        ${inputField({ name: 'email', label: texts.email, value: form.email, type: 'email', autocomplete: 'email', maxlength: emailLength, problems })}
        ${inputField({ name: 'phone', label: texts.phone, value: form.phone, type: 'tel', autocomplete: 'tel', maxlength: 30, problems, hint: texts.oneWay })}
        ${textareaField({ name: 'message', label: texts.message, value: form.message, rows: 6, maxlength: enquirySizes.message, problems, required: true })}
        <div class="visually-hidden" aria-hidden="true">
          <label for="f-website">${texts.leaveEmpty}</label>
          <input id="f-website" name="website" tabindex="-1" autocomplete="off" />
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
  return siteDocument(edition, {
    title,
    path: formPath(about),
    indexed: false,
    styles: ['enquiry.css'],
    agency,
    body: html`<div class="message enquiring wide">
      <h1>${title}</h1>
      ${body}
    </div>`,
  })
}
