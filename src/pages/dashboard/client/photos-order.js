// Orders a listing's photos by keys, buttons and dragging (photos-drag.js), without leaving the page. Every response has the current
// photos, which replace the shown ones.
import { withPhotos } from './photos-section.js'
import { renewToken } from './renew-token.js'

let section

const grid = () => section.querySelector('[data-grid]')
const items = () => [...grid().querySelectorAll('[data-photo]')]
const names = () => items().map((item) => item.dataset.photo)
const isSame = (one, other) =>
  one.length === other.length && one.every((name, index) => name === other[index])

/** The photos as the service last showed them. */
let known = []
let isSaving = false
/** The photo whose move must still be saved, and whether to announce it. */
let unsaved = null
/** Newer photos that arrived during a drag or save. */
let late = null
/** Photos that the person moved. */
const touched = new Set()

const announce = (text) => (section.querySelector('[data-announcement]').textContent = text)

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

/** The photo and control that have the focus, or null. */
function focused() {
  const element = document.activeElement
  const item = element?.closest('[data-photo]') ?? null
  if (item === null) return null
  const control = controls.find((selector) => element.matches(selector))
  return { name: item.dataset.photo, position: names().indexOf(item.dataset.photo), control }
}

/** Restores the focus. If the photo is gone, the one at its position gets it. */
function focusAgain(mark) {
  if (mark === null) return
  const item = items().find(({ dataset }) => dataset.photo === mark.name)
  const same = item?.querySelector(mark.control)
  if (same && !same.disabled) return same.focus()
  const near = item ?? items()[Math.min(mark.position, items().length - 1)]
  near?.querySelector('[data-handle]:not([hidden]), .photo-picture').focus()
}

/** Replaces the photos by the markup of a response, and keeps pictures that are loaded already. */
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

/** Shows photos that arrived meanwhile, unless the shown ones are newer. */
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
 * @returns the response, or null if there was none
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
    const result = await response.json()
    if (result.to !== undefined) return { status: 401, error: { message: section.dataset.sessionOver } }
    return { status: response.status, ...result }
  } catch {
    return null
  }
}

/**
 * Sends a change. If the listing has another version, but the same photos or only further ones at the end, the change is sent again for the
 * current version: that overwrites no order of another person.
 * @param isAnnounced whether to announce it; false for changes by this script alone
 */
async function change(path, fields, isAnnounced = true) {
  let result = await send(path, fields)
  if (result?.status === 412 && result.grid !== undefined) {
    const before = known
    const wanted = names()
    put(result.grid)
    const isOnlyMore = isSame(names().slice(0, before.length), before)
    if (isOnlyMore) {
      arrange([...wanted, ...names().slice(before.length)])
      result = await send(path, fields)
    }
  }
  if (result?.grid !== undefined && unsaved === null) put(result.grid)
  if (result?.grid === undefined) arrange(known)
  if (result === null) return show(section.dataset.notSaved)
  if (result.status === 412) return show(section.dataset.conflict)
  if (result.error !== undefined) return show(result.error.message)
  show('')
  if (isAnnounced) announce(result.message)
}

/** Shows the photos in this order. */
function arrange(order) {
  const list = grid().querySelector('ol')
  const byName = new Map(items().map((item) => [item.dataset.photo, item]))
  const mark = focused()
  for (const name of order) if (byName.has(name)) list.append(byName.get(name))
  focusAgain(mark)
}

/** Saves the shown order. Moves during a save are saved together afterwards. */
async function save(photo, isAnnounced = true) {
  if (isAnnounced) touched.add(photo)
  unsaved = { photo, isAnnounced: isAnnounced || unsaved?.isAnnounced === true }
  if (isSaving) return
  isSaving = true
  while (unsaved !== null) {
    const moved = unsaved
    unsaved = null
    const order = () => [['photo', moved.photo], ...names().map((name) => ['order', name])]
    await change(section.querySelector('[data-photo] form').action, order, moved.isAnnounced)
  }
  isSaving = false
  putLate()
}

/** Moves a photo to a position, counted from 0. */
function move(item, to) {
  const order = names()
  const from = order.indexOf(item.dataset.photo)
  const position = Math.max(0, Math.min(to, order.length - 1))
  if (position === from) return
  order.splice(position, 0, ...order.splice(from, 1))
  arrange(order)
  void save(item.dataset.photo)
}

const positionOf = (item) => names().indexOf(item.dataset.photo)

/** Puts photos that were added together into the order of the choice, unless the person has moved one. */
function sort(chosen) {
  const order = names()
  const wanted = chosen.filter((name) => order.includes(name))
  if (wanted.some((name) => touched.has(name))) return
  const positions = wanted.map((name) => order.indexOf(name)).toSorted((one, other) => one - other)
  positions.forEach((position, index) => (order[position] = wanted[index]))
  if (isSame(order, names())) return
  arrange(order)
  void save(wanted[0], false)
}

function onSubmit(event) {
  const form = event.target
  const item = form.closest('[data-photo]')
  if (item === null) return
  event.preventDefault()
  const to = { first: 0, earlier: positionOf(item) - 1, later: positionOf(item) + 1 }[event.submitter?.value]
  if (to !== undefined) move(item, to)
  else if (!isSaving) void change(form.action, () => [['photo', item.dataset.photo]])
}

function onKey(event) {
  const item = event.target.closest?.('[data-handle]')?.closest('[data-photo]')
  if (item === undefined || item === null) return
  const position = positionOf(item)
  const to = {
    ArrowLeft: position - 1,
    ArrowUp: position - 1,
    ArrowRight: position + 1,
    ArrowDown: position + 1,
    Home: 0,
    End: known.length - 1,
  }[event.key]
  if (to === undefined) return
  event.preventDefault()
  move(item, to)
}

/** After a drag (photos-drag.js). @param order before it @param isKept whether the photo stays at its new position */
function onDrop({ detail: { photo, order, isKept } }) {
  if (!isKept) arrange(order)
  else if (!isSame(order, names())) void save(photo)
  putLate()
}

withPhotos((found) => {
  section = found
  known = names()
  showHandles()
  section.addEventListener('submit', onSubmit)
  addEventListener('keydown', onKey)
  section.addEventListener('photo-dropped', onDrop)
  // Added photos wait while the order is being changed.
  section.addEventListener('photos', ({ detail }) => {
    late = detail
    putLate()
  })
  section.addEventListener('photos-chosen', ({ detail }) => sort(detail))
})
