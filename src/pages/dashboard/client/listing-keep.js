// What was typed into the form of a listing and is not saved yet, kept in this tab: for a page that is reloaded, a browser that makes room
// for a camera, and a session that ends before a button is pressed. dashboard.js forgets it on any other page.
import { controlsOf, setText, textOf } from './form-controls.js'

const form = document.querySelector('form[data-listing-form]')
const notice = form.querySelector('[data-kept]')
const keyOf = () => `listing ${new URL(form.action).pathname}`
/** The form's own account of what it shows. It belongs to what was typed, and is no text of anybody's. */
const hidden = ['version', 'new_id', 'place_shown_was']
const pauseMs = 300

let timer = null

/** A full or forbidden storage is none: then nothing is kept. */
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
  // A box that is not ticked is not among what was kept, and neither is a part that was hidden.
  const isThere = (name) => texts.has(name) || controlsOf(form, name).every(({ type }) => type === 'checkbox')
  const typed = [...names].filter((name) => name !== '_csrf' && !hidden.includes(name) && isThere(name))
  const isOther = (name) => textOf(form, name) !== (texts.get(name) ?? '')
  if (!typed.some(isOther)) return forget()
  for (const name of hidden)
    for (const field of controlsOf(form, name)) field.value = texts.get(name) ?? field.value
  // Each in its turn: what stands before it may have moved it, as the operation moves the currency.
  for (const name of typed) if (isOther(name)) setText(form, name, texts.get(name) ?? '')
  notice.hidden = false
}

// The answer to a form has what was typed already.
const texts = form.dataset.fresh === 'yes' ? kept() : null
if (texts !== null) restore(texts)

for (const name of ['input', 'change'])
  form.addEventListener(name, () => {
    clearTimeout(timer)
    timer = setTimeout(keep, pauseMs)
  })
form.addEventListener('submit', keep)
addEventListener('pagehide', () => timer !== null && keep())
// By listing-form.js, once nothing is left to be saved.
form.addEventListener('saved', () => {
  forget()
  notice.hidden = true
})
notice.querySelector('[data-discard]')?.addEventListener('click', () => {
  forget()
  form.dispatchEvent(new Event('discarded'))
  location.reload()
})
