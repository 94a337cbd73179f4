// The place of a listing in its form: a pin that is dragged or moved with the arrow keys, and a button that finds the address. The two
// fields of coordinates hold the person's own pin, and are empty while the address decides.

/** The distance that an arrow key moves the pin, in pixels of the map. */
const step = 8
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** The form's fields from which the address is looked up. */
const addressFields = { address: 'address', city: 'location.city', province: 'location.province' }

/** `-34,6037` as a number, or null. */
function degrees(text, max) {
  const plain = text.trim().replace('−', '-').replace(',', '.')
  const number = /^[+-]?\d{1,3}(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
  return Math.abs(number) <= max ? number : null
}

class PlaceField {
  constructor(field) {
    this.field = field
    this.texts = field.dataset
    this.form = field.closest('form')
    this.lat = this.form.elements['location.lat']
    this.lng = this.form.elements['location.lng']
    this.message = field.querySelector('[data-place-message]')
    this.remove = field.querySelector('[data-place-remove]')
    this.hint = field.querySelector('[data-place-hint]')
    this.box = field.querySelector('[data-map]')
    // Set once the map is open.
    this.L = this.map = this.pinIcon = undefined
    const find = field.querySelector('[data-place-find]')
    find.addEventListener('click', () => this.find(find))
    this.remove.addEventListener('click', () => this.clear())
    this.lat.addEventListener('paste', (event) => this.pastePair(event))
    for (const input of [this.lat, this.lng]) input.addEventListener('change', () => this.typed())
    // A save has found the address.
    field.addEventListener('placed', ({ detail }) => this.placed(detail))
    field.querySelector('[data-place-actions]').hidden = false
    this.refresh()
  }

  get isOwn() {
    return this.lat.value.trim() !== '' || this.lng.value.trim() !== ''
  }

  say(text) {
    this.message.textContent = text
  }

  refresh() {
    this.remove.hidden = !this.isOwn
    if (this.hint === null || this.map === undefined) return
    this.hint.hidden = false
    this.hint.textContent = this.marker === undefined ? this.hint.dataset.press : this.hint.dataset.drag
  }

  /** Writes the person's pin into the fields. */
  own({ lat, lng }) {
    this.fill(lat.toFixed(5), lng.toFixed(5))
    this.say(this.texts.byHand)
  }

  fill(lat, lng) {
    this.lat.value = lat
    this.lng.value = lng
    this.isFilling = true
    for (const input of [this.lat, this.lng])
      for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, { bubbles: true }))
    this.isFilling = false
    this.refresh()
  }

  typed() {
    if (this.isFilling) return
    const [lat, lng] = [degrees(this.lat.value, 90), degrees(this.lng.value, 180)]
    if (lat !== null && lng !== null) {
      this.show({ lat, lng })
      this.say(this.texts.byHand)
    } else if (!this.isOwn) this.say(this.texts.onSave)
    this.refresh()
  }

  placed(pin) {
    // A pin that is being dragged is about to become the person's own.
    if (this.isOwn || this.isDragged) return
    this.show(pin)
    this.say(this.texts.byAddress)
  }

  /** Both coordinates at once, as maps elsewhere give them. */
  pastePair(event) {
    const pair = /^\s*([+−-]?\d{1,3}\.\d+)\s*[,;\s]\s*([+−-]?\d{1,3}\.\d+)\s*$/.exec(
      event.clipboardData.getData('text'),
    )
    if (pair === null) return
    event.preventDefault()
    this.fill(pair[1].replace('−', '-'), pair[2].replace('−', '-'))
    this.typed()
  }

  /** Removes the person's pin: the address decides when the form is saved. */
  clear() {
    this.fill('', '')
    this.marker?.remove()
    this.marker = undefined
    this.say(this.texts.onSave)
    this.refresh()
    this.message.scrollIntoView({ block: 'nearest' })
  }

  async find(button) {
    const value = (name) => this.form.elements[addressFields[name]]?.value ?? ''
    if (value('address').trim() === '') {
      this.say(this.texts.addressFirst)
      this.form.elements[addressFields.address]?.focus()
      return
    }
    button.disabled = true
    try {
      const fields = { _csrf: this.form.elements['_csrf'].value }
      for (const name of Object.keys(addressFields)) fields[name] = value(name)
      if (this.texts.listing !== '') fields.listing = this.texts.listing
      const response = await fetch(this.texts.url, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams(fields),
      })
      const { lat, lng, message } = await response.json()
      if (lat !== undefined) {
        this.fill('', '')
        this.show({ lat, lng })
      }
      this.say(message ?? this.texts.failed)
    } catch {
      this.say(this.texts.failed)
    } finally {
      button.disabled = false
      this.refresh()
    }
  }

  async open() {
    const { openMap, pinIcon } = await import(this.box.dataset.script)
    const { L, map } = await openMap(this.box)
    this.L = L
    this.map = map
    this.pinIcon = pinIcon
    const { lat, lng } = this.box.dataset
    // The whole country, until there is a pin.
    map.setView([-38.5, -63.5], 4)
    map.on('click', ({ latlng }) => {
      if (this.marker !== undefined) return
      this.show(latlng)
      this.own(latlng)
    })
    if (lat !== undefined) this.show({ lat: Number(lat), lng: Number(lng) })
    // Typed or found while the map was loading.
    else if (this.waiting !== undefined) this.show(this.waiting)
    this.refresh()
  }

  show(pin) {
    if (this.map === undefined) {
      this.waiting = pin
      return
    }
    if (this.marker === undefined) this.addMarker(pin)
    else this.marker.setLatLng(pin)
    this.map.setView(pin, Math.max(this.map.getZoom(), 16))
    this.refresh()
  }

  addMarker(pin) {
    const marker = this.L.marker(pin, {
      icon: this.pinIcon(this.L, true),
      draggable: true,
      autoPan: true,
    })
    this.marker = marker.addTo(this.map)
    marker.on('dragstart', () => {
      this.isDragged = true
    })
    marker.on('dragend', () => {
      this.isDragged = false
      this.own(marker.getLatLng())
    })
    const element = marker.getElement()
    element.setAttribute('aria-label', this.texts.pinLabel)
    element.addEventListener('keydown', (event) => this.nudge(event))
  }

  /** An arrow key moves the pin instead of the map. */
  nudge(event) {
    const way = arrows[event.key]
    if (way === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const far = event.shiftKey ? step * 5 : step
    const point = this.map.latLngToContainerPoint(this.marker.getLatLng()).add([way[0] * far, way[1] * far])
    const pin = this.map.containerPointToLatLng(point)
    this.marker.setLatLng(pin)
    this.map.panInside(pin, { padding: [40, 40] })
    this.own(pin)
  }
}

for (const field of document.querySelectorAll('[data-place]')) {
  const place = new PlaceField(field)
  // Without Leaflet the fields and buttons remain.
  if (place.box !== null) place.open().catch(() => {})
}
