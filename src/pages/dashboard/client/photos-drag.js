// Dragging a listing's photos with a mouse or a finger. The section is marked during a drag; photos-order.js then saves the order.
import { withPhotos } from './photos-section.js'

let section
let dragged = null

const items = () => [...section.querySelectorAll('[data-grid] [data-photo]')]

// A drag begins on the handle, with a mouse also on the picture. Below a few pixels it is a click.
const threshold = 6
const edge = 72

function onDown(event) {
  const isMouse = event.pointerType === 'mouse'
  if (dragged !== null || (isMouse && event.button !== 0) || items().length < 2) return
  const from = event.target.closest(isMouse ? '[data-handle], .photo-picture' : '[data-handle]')
  if (from === null || !section.contains(from)) return
  const item = from.closest('[data-photo]')
  dragged = {
    item,
    order: items().map(({ dataset }) => dataset.photo),
    x: event.clientX,
    y: event.clientY,
    pointer: event.pointerId,
    isMoving: false,
  }
  section.dataset.dragging = ''
}

function onMove(event) {
  if (dragged === null || event.pointerId !== dragged.pointer) return
  if (!dragged.isMoving) {
    if (Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < threshold) return
    dragged.isMoving = true
    dragged.item.classList.add('is-dragged')
    section.classList.add('is-dragging')
    requestAnimationFrame(scrollAtEdge)
  }
  event.preventDefault()
  Object.assign(dragged, { x: event.clientX, y: event.clientY })
  follow()
}

/** Puts the dragged photo where the pointer is. */
function follow() {
  const { item, x, y } = dragged
  const other = document.elementFromPoint(x, y)?.closest('[data-photo]')
  if (!other || other === item || !section.contains(other)) return
  const [from, to] = [items().indexOf(item), items().indexOf(other)]
  // The others move, because removing the dragged element would end its touch.
  if (from < to) item.before(...items().slice(from + 1, to + 1))
  else item.after(...items().slice(to, from))
}

function scrollAtEdge() {
  if (dragged === null || !dragged.isMoving) return
  const by = dragged.y < edge ? -12 : dragged.y > innerHeight - edge ? 12 : 0
  if (by !== 0) {
    scrollBy(0, by)
    follow()
  }
  requestAnimationFrame(scrollAtEdge)
}

/** @param isKept whether the photo stays at its new position */
function drop(isKept) {
  const { item, order, isMoving } = dragged
  dragged = null
  delete section.dataset.dragging
  if (isMoving) {
    item.classList.remove('is-dragged')
    section.classList.remove('is-dragging')
    // The browser's click after the drag would open the picture.
    const swallow = (event) => event.preventDefault()
    addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => removeEventListener('click', swallow, { capture: true }), 0)
  }
  const detail = { photo: item.dataset.photo, order, isKept }
  section.dispatchEvent(new CustomEvent('photo-dropped', { detail }))
}

withPhotos((found) => {
  section = found
  section.addEventListener('pointerdown', onDown)
  addEventListener('pointermove', onMove, { passive: false })
  addEventListener('pointerup', () => dragged !== null && drop(true))
  addEventListener('pointercancel', () => dragged !== null && drop(false))
  addEventListener('keydown', ({ key }) => key === 'Escape' && dragged !== null && drop(false))
})
