// Keeps unsaved text of a listing's form in this tab, for a reload, a tab that was discarded while the camera was open, and a session that
// ended. dashboard.js forgets it on any other page.
import { controlsOf, setText, textOf } from './form-controls.js'

const form = document.querySelector('form[data-listing-form]')
const notice = form.querySelector('[data-kept]')
const keyOf = () => `listing ${new URL(form.action).pathname}`
/** Fields with the form's own state, which are kept with the typed text. */
const hidden = ['version', 'new_id', 'place_shown_was']
const pauseMs = 300

let timer = null

/** Nothing is kept if the storage is full or forbidden. */
function withStorage(use) {
  try {
    return use(sessionStorage)
  } catch {
    return null
  }
}

function keep() {
  clearTimeout(timer)
  timer = null
  const fields = [...new FormData(form)].filter(([name]) => name !== '_csrf')
  withStorage((storage) => storage.setItem(keyOf(), JSON.stringify({ who: form.dataset.who, fields })))
}

function forget() {
  clearTimeout(timer)
  timer = null
  withStorage((storage) => storage.removeItem(keyOf()))
}

/** @returns name → text, or null if nothing is kept for this person */
function kept() {
  const entry = withStorage((storage) => JSON.parse(storage.getItem(keyOf())))
  return entry !== null && entry.who === form.dataset.who ? new Map(entry.fields) : null
}

function restore(texts) {
  const names = new Set([...form.elements].map(({ name }) => name).filter(Boolean))
  // A form sends neither unticked boxes nor hidden parts, so they were not kept.
  const isThere = (name) => texts.has(name) || controlsOf(form, name).every(({ type }) => type === 'checkbox')
  const typed = [...names].filter((name) => name !== '_csrf' && !hidden.includes(name) && isThere(name))
  const isOther = (name) => textOf(form, name) !== (texts.get(name) ?? '')
  if (!typed.some(isOther)) return forget()
  for (const name of hidden)
    for (const field of controlsOf(form, name)) field.value = texts.get(name) ?? field.value
  // In order: a field may have changed a later one, as the operation changes the currency.
  for (const name of typed) if (isOther(name)) setText(form, name, texts.get(name) ?? '')
  notice.hidden = false
}

// The response to a form has the typed text already.
const texts = form.dataset.fresh === 'yes' ? kept() : null
if (texts !== null) restore(texts)

for (const name of ['input', 'change'])
  form.addEventListener(name, () => {
    clearTimeout(timer)
    timer = setTimeout(keep, pauseMs)
  })
form.addEventListener('submit', keep)
addEventListener('pagehide', () => timer !== null && keep())
// Sent by listing-form.js once everything is saved.
form.addEventListener('saved', () => {
  forget()
  notice.hidden = true
})
notice.querySelector('[data-discard]')?.addEventListener('click', () => {
  forget()
  form.dispatchEvent(new Event('discarded'))
  location.reload()
})
