// The form of a listing: saves a draft during typing, and shows whether everything is saved.
// Without this file the form is saved by its buttons.
import { controlsOf, setText, textOf } from './form-controls.js'
import { renewToken } from './renew-token.js'

const form = document.querySelector('form[data-listing-form]')
const line = document.querySelector('.save-line')
const state = line.querySelector('[data-save-state]')
const { dataset: words } = line

/** After a pause in typing, and sooner after a field has changed. */
const pauseMs = 4_000
const doneMs = 600
const retryMs = 10_000
const patienceMs = 30_000

let savesItself = words.autosave === 'yes'
let isDirty = false
let isLeaving = false
let hasFailed = false
/** True while a response changes fields: these changes need no save. */
let isTakingOver = false
let timer = null
/** The current save. The next one needs its version. */
let running = null

const say = (text) => {
  if (state.textContent !== text) state.textContent = text
}
const timed = (text) => {
  const time = new Date().toLocaleTimeString(document.documentElement.lang, {
    hour: '2-digit',
    minute: '2-digit',
    // Like the server's texts; browsers differ for es-AR.
    hourCycle: 'h23',
  })
  return text.replace('{time}', time)
}
/** Shows the problem of each field, and removes solved ones. */
function showProblems(problems) {
  for (const error of form.querySelectorAll('.error')) {
    const field = document.getElementById(error.id.replace(/-error$/, ''))
    field?.removeAttribute('aria-invalid')
    describe(field, error.id, false)
    error.remove()
  }
  for (const [name, text] of Object.entries(problems)) {
    const id = `f-${name}`
    const field = document.getElementById(id)
    if (name === '' || field === null) continue
    const error = document.createElement('p')
    error.className = 'error'
    error.id = `${id}-error`
    error.textContent = text
    field.closest('.field').append(error)
    field.setAttribute('aria-invalid', 'true')
    describe(field, error.id, true)
  }
}

/** Adds or removes one of the elements that describe the field. */
function describe(field, id, isThere) {
  const ids = new Set((field?.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean))
  if (isThere) ids.add(id)
  else ids.delete(id)
  if (ids.size > 0) field.setAttribute('aria-describedby', [...ids].join(' '))
  else field?.removeAttribute('aria-describedby')
}

/** Replaces parts of the page by the server's new ones. */
function showParts(parts) {
  const template = document.createElement('template')
  for (const markup of parts) {
    template.innerHTML = markup
    const [part] = template.content.children
    const old = document.getElementById(part.id)
    if (old === null || old.innerHTML === part.innerHTML) continue
    old.replaceWith(part)
    part.querySelector('.conflicts')?.focus()
    if (part.querySelector('[data-photos]') !== null) document.dispatchEvent(new Event('photos-shown'))
  }
}

/** Shows changes by others, except in fields changed since the form was sent. @returns whether all are in the form now */
function take(texts, sent) {
  let isAll = true
  for (const [name, text] of Object.entries(texts)) {
    const now = textOf(form, name)
    if (now === null || now === text) continue
    if (now === (sent.get(name) ?? '') || controlsOf(form, name).every((field) => field.disabled))
      setText(form, name, text)
    else isAll = false
  }
  return isAll
}

/** Shows texts as the server writes them, such as `450.000`, except in the text field that has the cursor. */
function tidy(texts, sent) {
  for (const [name, text] of Object.entries(texts)) {
    const isTypedIn = controlsOf(form, name).some(
      (field) => field === document.activeElement && (field.type === 'text' || field.tagName === 'TEXTAREA'),
    )
    if (!isTypedIn && textOf(form, name) === (sent.get(name) ?? '')) setText(form, name, text)
  }
}

function setHidden(name, value) {
  const [field] = controlsOf(form, name)
  if (field === undefined)
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  else field.value = value
}

function show(response, sent) {
  isTakingOver = true
  const isAll = take(response.taken, sent)
  tidy(response.reworded, sent)
  isTakingOver = false
  if (response.version !== null && isAll) setHidden('version', response.version)
  if (response.action !== null && new URL(form.action).pathname !== response.action) {
    form.action = response.action
    history.replaceState(null, '', response.action)
  }
  if (response.placeShown !== null) setHidden('place_shown_was', response.placeShown)
  // The pin of the address, for the map.
  if (response.pin !== null)
    form.querySelector('[data-place]')?.dispatchEvent(new CustomEvent('placed', { detail: response.pin }))
  showProblems(response.problems)
  showParts(response.parts)
  savesItself = response.savesItself
  words.autosave = savesItself ? 'yes' : 'no'
}

const toQuery = (sent) => new URLSearchParams(sent)

/** A browser still sends a short form after the page is gone. */
const isShort = () => toQuery(new FormData(form)).toString().length < 60_000

async function send(isRetry = false) {
  const sent = new FormData(form)
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: toQuery(sent),
    keepalive: isLeaving && isShort(),
    // A connection that hangs would hold up everything typed after it.
    signal: AbortSignal.timeout(patienceMs),
  })
  if (response.status === 403 && !isRetry && (await renewToken())) return send(true)
  return { response, sent }
}

async function save() {
  stop()
  const slow = setTimeout(() => say(words.saving), 1_000)
  isDirty = false
  hasFailed = false
  try {
    const { response, sent } = await send()
    const body = await response.json()
    if (response.ok) stored(body, sent)
    else refused(response.status, body)
  } catch (error) {
    // A response that is not JSON comes from a proxy.
    failed(error instanceof SyntaxError ? words.failed : words.offline)
  } finally {
    clearTimeout(slow)
  }
}

function stored(body, sent) {
  show(body, sent)
  if (body.isWhole && !isDirty) form.dispatchEvent(new Event('saved'))
  const general = body.problems['']
  if (general !== undefined) failed(general)
  else if (!savesItself && !body.isWhole) {
    isDirty = true
    say(words.unsaved)
  } else if (body.version === null) say(words.auto)
  else say(timed(body.isWhole ? words.saved : words.savedBut))
}

/** After a session has ended, the next focus saves again. A listing that no longer exists is not saved. */
function refused(status, body) {
  failed(status === 401 ? words.signIn : (body.error?.message ?? words.failed))
  if (status < 500 && status !== 429) stop()
  if (status === 404) savesItself = false
}

function failed(text) {
  isDirty = true
  hasFailed = true
  say(text)
  schedule(retryMs)
}

/** Saves run one at a time. Text typed during one is saved by the next. */
function saveSoon() {
  if (!savesItself || !isDirty) return
  running ??= save().finally(() => {
    running = null
    if (isDirty && !hasFailed && timer === null) schedule(doneMs)
  })
}

function schedule(afterMs) {
  stop()
  timer = setTimeout(() => {
    timer = null
    saveSoon()
  }, afterMs)
}

function stop() {
  clearTimeout(timer)
  timer = null
}

function changed(afterMs) {
  if (isTakingOver) return
  isDirty = true
  if (savesItself) schedule(afterMs)
  else say(words.unsaved)
}

form.addEventListener('input', () => changed(pauseMs))
form.addEventListener('change', () => changed(doneMs))
if (savesItself) say(words.auto)
// Photos are saved separately, and may reduce what is missing.
const photosSeen = new MutationObserver(() => savesItself && changed(doneMs))
function watchPhotos() {
  const count = document.querySelector('[data-photo-count]')
  if (count !== null) photosSeen.observe(count, { childList: true, characterData: true })
}
watchPhotos()
document.addEventListener('photos-shown', watchPhotos)

// Enter in a field saves and stays; leaving takes a button.
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
  event.preventDefault()
  if (savesItself && isDirty) schedule(0)
})

// A button sends the whole form.
form.addEventListener('submit', () => {
  stop()
  isDirty = false
  savesItself = false
})
addEventListener('pageshow', ({ persisted }) => {
  // The restored page may show an old version.
  if (persisted) location.reload()
})
addEventListener('focus', saveSoon)
addEventListener('online', saveSoon)
form.addEventListener('discarded', () => {
  isDirty = false
})
document.addEventListener('visibilitychange', () => {
  isLeaving = document.visibilityState === 'hidden'
  if (isLeaving) saveSoon()
})
addEventListener('beforeunload', (event) => {
  if (!isDirty) return
  const isSaved = savesItself && !hasFailed && running === null && isShort()
  if (!isSaved) event.preventDefault()
  isLeaving = isSaved
  if (isSaved) saveSoon()
})
