// The map of an agency's listings: loaded when its fold is opened. Pins that would overlap become one with their number.

/** The minimum distance of pins, in pixels. */
const apart = 46
const maxInPopup = 20

function make(name, className, ...contents) {
  const made = document.createElement(name)
  made.className = className
  made.append(...contents)
  return made
}

function entry({ path, title, price, what, photo }) {
  const link = make('a', 'pin-entry')
  link.href = path
  if (photo !== null) {
    const picture = make('img', '')
    Object.assign(picture, { src: photo, alt: '', width: 96, height: 64, loading: 'lazy' })
    link.append(picture)
  }
  const words = make(
    'span',
    'pin-words',
    make('strong', '', price),
    make('span', '', what),
    make('span', 'pin-title', title),
  )
  words.lastChild.dir = 'auto'
  link.append(words)
  return link
}

class ListingsMap {
  constructor({ L, map }, box, pins) {
    this.L = L
    this.map = map
    this.box = box
    this.pins = pins
    this.layer = L.layerGroup().addTo(map)
  }

  /** Shows all pins. */
  start() {
    const { L, map, pins } = this
    const bounds = L.latLngBounds(pins.map(({ lat, lng }) => [lat, lng]))
    map.fitBounds(bounds, { padding: [40, 40], maxZoom: 15 })
    this.draw()
    map.on('zoomend', () => this.draw())
  }

  /** Pins by the square of the map that contains them, at the current zoom. */
  groups() {
    const squares = new Map()
    for (const pin of this.pins) {
      const { x, y } = this.map.project([pin.lat, pin.lng])
      const square = `${Math.floor(x / apart)} ${Math.floor(y / apart)}`
      squares.set(square, [...(squares.get(square) ?? []), pin])
    }
    return [...squares.values()]
  }

  draw() {
    this.layer.clearLayers()
    for (const group of this.groups()) this.add(group)
  }

  add(group) {
    const { L, map, box } = this
    const [first] = group
    const isOne = group.length === 1
    const label = isOne ? `${first.price} · ${first.title}` : box.dataset.several.replace('{n}', group.length)
    const size = { iconSize: [44, 44], popupAnchor: [0, first.isBlurred || !isOne ? -16 : -30] }
    const icon = L.divIcon(
      isOne
        ? {
            ...size,
            className: first.isBlurred ? 'map-pin map-pin-blurred' : 'map-pin map-pin-own',
            iconAnchor: [22, first.isBlurred ? 22 : 38],
          }
        : { ...size, className: 'map-cluster', html: String(group.length) },
    )
    const at = isOne ? first : middleOf(group)
    const marker = L.marker(at, { icon, title: label }).addTo(this.layer)
    marker.getElement().setAttribute('aria-label', label)
    const bounds = L.latLngBounds(group.map(({ lat, lng }) => [lat, lng]))
    const isTogether =
      isOne || map.getZoom() >= map.getMaxZoom() || bounds.getNorthEast().equals(bounds.getSouthWest(), 1e-5)
    if (isTogether)
      marker.bindPopup(() => this.popup(group), { minWidth: 220, maxWidth: 280, maxHeight: 260 })
    else marker.on('click', () => map.fitBounds(bounds, { padding: [40, 40], maxZoom: map.getMaxZoom() }))
  }

  popup(group) {
    const list = make('div', 'pin-list', ...group.slice(0, maxInPopup).map(entry))
    if (group.some(({ isBlurred }) => isBlurred)) list.append(make('p', 'note', this.box.dataset.blurredNote))
    return list
  }
}

function middleOf(group) {
  const mean = (name) => group.reduce((sum, pin) => sum + pin[name], 0) / group.length
  return [mean('lat'), mean('lng')]
}

async function open(fold) {
  const box = fold.querySelector('[data-map]')
  const said = fold.querySelector('[data-map-said]')
  try {
    const [{ openMap }, response] = await Promise.all([
      import(box.dataset.script),
      fetch(box.dataset.pins, { headers: { accept: 'application/json' } }),
    ])
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { pins, more } = await response.json()
    if (pins.length === 0) {
      box.hidden = true
      said.textContent = said.dataset.none
      return
    }
    const map = new ListingsMap(await openMap(box), box, pins)
    map.start()
    if (more) said.textContent = said.dataset.some
  } catch {
    box.hidden = true
    said.textContent = said.dataset.failed
  }
}

for (const fold of document.querySelectorAll('[data-map-fold]'))
  fold.addEventListener('toggle', () => open(fold), { once: true })
