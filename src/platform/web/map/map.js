// Fills the boxes of maps: Leaflet is fetched when the first one comes into view.

let loading = null

/** Leaflet, once its style has loaded too: without it the tiles would be misplaced. */
function load({ leaflet, style }) {
  loading ??= Promise.all([
    import(leaflet),
    new Promise((resolve, reject) => {
      const link = document.createElement('link')
      link.rel = 'stylesheet'
      link.href = style
      link.addEventListener('load', resolve)
      link.addEventListener('error', () => reject(new Error('The map’s style did not load.')))
      document.head.append(link)
    }),
  ]).then(
    () => globalThis.L,
    (error) => {
      loading = null
      throw error
    },
  )
  return loading
}

/** A map in the box. `map.L` is Leaflet. */
export async function openMap(box) {
  const data = box.dataset
  const L = await load(data)
  const canvas = document.createElement('div')
  canvas.className = 'map-canvas'
  canvas.setAttribute('role', 'region')
  canvas.setAttribute('aria-label', data.label)
  box.querySelector('.map-before').hidden = true
  box.prepend(canvas)
  const [south, west, north, east] = data.area.split(',').map(Number)
  const bounds = L.latLngBounds([south, west], [north, east])
  const isTouched = matchMedia('(pointer: coarse)').matches
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = L.map(canvas, {
    attributionControl: false,
    zoomControl: false,
    minZoom: Number(data.farthest),
    maxZoom: Number(data.closest),
    maxBounds: bounds,
    maxBoundsViscosity: 1,
    // One finger and the wheel scroll the page. Two fingers move the map, and the wheel zooms it after a click.
    dragging: !isTouched,
    scrollWheelZoom: false,
    zoomAnimation: !isCalm,
    fadeAnimation: !isCalm,
    markerZoomAnimation: !isCalm,
    inertia: !isCalm,
  })
  L.control.zoom({ zoomInTitle: data.zoomIn, zoomOutTitle: data.zoomOut }).addTo(map)
  L.tileLayer(data.tiles, { maxZoom: Number(data.closest), bounds }).addTo(map)
  map.on('click', () => map.scrollWheelZoom.enable())
  canvas.addEventListener('mouseleave', () => map.scrollWheelZoom.disable())
  box.querySelector('.map-credit').hidden = false
  return { L, map }
}

/** A pin, drawn by the style; its tip is the place. A movable one is large enough for a finger. */
export function pinIcon(L, isOwn = false) {
  return isOwn
    ? L.divIcon({ className: 'map-pin map-pin-own', iconSize: [44, 44], iconAnchor: [22, 38] })
    : L.divIcon({ className: 'map-pin', iconSize: [28, 28], iconAnchor: [14, 34], popupAnchor: [0, -30] })
}

/**
 * One place: a pin, or a circle if it is blurred, or both.
 * @param {{ L: any, map: any }} opened
 * @param {DOMStringMap} place
 */
function showPlace({ L, map }, { lat, lng, radius, blurredLat = lat, blurredLng = lng, pin }) {
  const middle = [Number(lat), Number(lng)]
  map.setView(middle, radius === undefined ? 16 : 15)
  if (radius !== undefined) circle(L, [blurredLat, blurredLng], radius).addTo(map)
  if (radius === undefined || pin !== undefined)
    L.marker(middle, { icon: pinIcon(L), interactive: false, keyboard: false }).addTo(map)
}

/** The area that public pages show instead of a location. @param radius in metres */
export function circle(L, middle, radius) {
  const options = { radius: Number(radius), interactive: false, className: 'map-circle' }
  return L.circle(middle.map(Number), options)
}

/** Calls `act` once the element is in view, or nearly. */
function onceInView(element, act) {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      act()
    },
    { rootMargin: '200px' },
  )
  observer.observe(element)
}

for (const box of document.querySelectorAll('[data-map="place"]'))
  onceInView(box, async () => {
    try {
      showPlace(await openMap(box), box.dataset)
    } catch {
      // The box keeps its content.
    }
  })
