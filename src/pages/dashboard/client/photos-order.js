// The order of a listing's photos: by keys, by the buttons and by dragging (photos-drag.js), saved without leaving the page. Every answer holds the photos
// as they are then; they replace those shown.
import { renewToken } from './renew-token.js'

/** The part of the page that has them. In the form of a new listing it comes once there is a draft. */
let section = null

const grid = () => section.querySelector('[data-grid]')
const items = () => [...grid().querySelectorAll('[data-photo]')]
const names = () => items().map((item) => item.dataset.photo)
const isSame = (one, other) =>
  one.length === other.length && one.every((name, index) => name === other[index])

/** The photos as the service last showed them. */
let known = []
let isSaving = false
/** The photo whose move is still to be saved, and whether that is told. */
let unsaved = null
/** The photos with one that was added while they were being ordered. */
let late = null
/** Photos that the person moved. */
const touched = new Set()

const tell = (text) => (section.querySelector('[data-told]').textContent = text)

function show(text) {
  const trouble = section.querySelector('[data-trouble]')
  trouble.hidden = text === ''
  trouble.querySelector('[data-trouble-text]').textContent = text
}

const controls = [
  '[data-handle]',
  '[value="earlier"]',
  '[value="later"]',
  '[value="first"]',
  'summary',
  '.photo-remove button',
  '.photo-picture',
]

/** Which control of which photo has the focus; null if none has. */
function focused() {
  const element = document.activeElement
  const item = element?.closest('[data-photo]') ?? null
  if (item === null) return null
  const control = controls.find((selector) => element.matches(selector))
  return { name: item.dataset.photo, place: names().indexOf(item.dataset.photo), control }
}

/** Restores the focus; for a photo that is gone, to the one in its place. */
function focusAgain(mark) {
  if (mark === null) return
  const item = items().find(({ dataset }) => dataset.photo === mark.name)
  const same = item?.querySelector(mark.control)
  if (same && !same.disabled) return same.focus()
  const near = item ?? items()[Math.min(mark.place, items().length - 1)]
  near?.querySelector('[data-handle]:not([hidden]), .photo-picture').focus()
}

/** Replaces the photos by the markup of an answer. Pictures that stay are not loaded again. */
function put(markup) {
  const holder = document.createElement('template')
  holder.innerHTML = markup
  const fresh = holder.content.querySelector('[data-grid]')
  const shown = new Map(items().map((item) => [item.dataset.photo, item]))
  for (const item of fresh.querySelectorAll('[data-photo]')) {
    const old = shown.get(item.dataset.photo)
    if (old === undefined) continue
    const picture = old.querySelector('img')
    picture.alt = item.querySelector('img').alt
    item.querySelector('img').replaceWith(picture)
    if (old.querySelector('details[open]') !== null) item.querySelector('details')?.setAttribute('open', '')
  }
  const mark = focused()
  grid().replaceWith(fresh)
  section.querySelector('[data-photo-count]').textContent = fresh.dataset.count
  known = names()
  showHandles()
  focusAgain(mark)
}

/** Shows photos that arrived meanwhile, unless those shown are newer. */
function putLate() {
  if (late === null || section.dataset.dragging !== undefined || isSaving) return
  const [, version] = /data-version="(\d+)"/.exec(late) ?? []
  if (Number(version) >= Number(grid().dataset.version)) put(late)
  late = null
}

function showHandles() {
  for (const handle of section.querySelectorAll('[data-handle]')) handle.hidden = items().length < 2
}

/**
 * Sends a form for the version that is shown.
 * @returns the answer, or null if there was none
 */
async function send(path, fields, isRetry = false) {
  const body = new URLSearchParams([
    ['_csrf', section.querySelector('[name="_csrf"]').value],
    ['version', grid().dataset.version],
    ...fields(),
  ])
  try {
    const response = await fetch(path, { method: 'POST', body, headers: { accept: 'application/json' } })
    if (response.status === 403 && !isRetry && (await renewToken())) return send(path, fields, true)
    const answer = await response.json()
    if (answer.to !== undefined) return { status: 401, error: { message: section.dataset.sessionOver } }
    return { status: response.status, ...answer }
  } catch {
    return null
  }
}

/**
 * Sends a change. Where the listing changed but its photos did not, other than by new ones at the end, the change is sent again for the
 * version of now: nobody's order is overwritten by that.
 * @param isTold false for what nobody did, but the page by itself
 */
async function change(path, fields, isTold = true) {
  let answer = await send(path, fields)
  if (answer?.status === 412 && answer.grid !== undefined) {
    const before = known
    const wanted = names()
    put(answer.grid)
    const isOnlyMore = isSame(names().slice(0, before.length), before)
    if (isOnlyMore) {
      arrange([...wanted, ...names().slice(before.length)])
      answer = await send(path, fields)
    }
  }
  if (answer?.grid !== undefined && unsaved === null) put(answer.grid)
  if (answer?.grid === undefined) arrange(known)
  if (answer === null) return show(section.dataset.notSaved)
  if (answer.status === 412) return show(section.dataset.conflict)
  if (answer.error !== undefined) return show(answer.error.message)
  show('')
  if (isTold) tell(answer.message)
}

/** Shows the photos in this order. */
function arrange(order) {
  const list = grid().querySelector('ol')
  const byName = new Map(items().map((item) => [item.dataset.photo, item]))
  const mark = focused()
  for (const name of order) if (byName.has(name)) list.append(byName.get(name))
  focusAgain(mark)
}

/** Saves the order shown. Moves that come while one is saved are saved together, after it. */
async function save(photo, isTold = true) {
  if (isTold) touched.add(photo)
  unsaved = { photo, isTold: isTold || unsaved?.isTold === true }
  if (isSaving) return
  isSaving = true
  while (unsaved !== null) {
    const moved = unsaved
    unsaved = null
    const order = () => [['photo', moved.photo], ...names().map((name) => ['order', name])]
    await change(section.querySelector('[data-photo] form').action, order, moved.isTold)
  }
  isSaving = false
  putLate()
}

/** Moves a photo to a place, counted from 0. */
function move(item, to) {
  const order = names()
  const from = order.indexOf(item.dataset.photo)
  const place = Math.max(0, Math.min(to, order.length - 1))
  if (place === from) return
  order.splice(place, 0, ...order.splice(from, 1))
  arrange(order)
  void save(item.dataset.photo)
}

const placeOf = (item) => names().indexOf(item.dataset.photo)

/** Puts photos that were added together into the order in which they were chosen, unless the person has moved one. */
function sort(chosen) {
  const order = names()
  const wanted = chosen.filter((name) => order.includes(name))
  if (wanted.some((name) => touched.has(name))) return
  const places = wanted.map((name) => order.indexOf(name)).toSorted((one, other) => one - other)
  places.forEach((place, index) => (order[place] = wanted[index]))
  if (isSame(order, names())) return
  arrange(order)
  void save(wanted[0], false)
}

function onSubmit(event) {
  const form = event.target
  const item = form.closest('[data-photo]')
  if (item === null) return
  event.preventDefault()
  const to = { first: 0, earlier: placeOf(item) - 1, later: placeOf(item) + 1 }[event.submitter?.value]
  if (to !== undefined) move(item, to)
  else if (!isSaving) void change(form.action, () => [['photo', item.dataset.photo]])
}

function onKey(event) {
  const item = event.target.closest?.('[data-handle]')?.closest('[data-photo]')
  if (item === undefined || item === null) return
  const place = placeOf(item)
  const to = {
    ArrowLeft: place - 1,
    ArrowUp: place - 1,
    ArrowRight: place + 1,
    ArrowDown: place + 1,
    Home: 0,
    End: known.length - 1,
  }[event.key]
  if (to === undefined) return
  event.preventDefault()
  move(item, to)
}

/** After a drag (photos-drag.js). @param order before it; @param isKept whether the photo stays where it is now */
function onDrop({ detail: { photo, order, isKept } }) {
  if (!isKept) arrange(order)
  else if (!isSame(order, names())) void save(photo)
  putLate()
}

function start() {
  if (section !== null) return
  section = document.querySelector('[data-photos]')
  if (section === null) return
  known = names()
  showHandles()
  section.addEventListener('submit', onSubmit)
  addEventListener('keydown', onKey)
  section.addEventListener('photo-dropped', onDrop)
  // Photos that were added. An order that is being changed comes first.
  section.addEventListener('photos', ({ detail }) => {
    late = detail
    putLate()
  })
  section.addEventListener('photos-chosen', ({ detail }) => sort(detail))
}
start()
document.addEventListener('photos-shown', start)
