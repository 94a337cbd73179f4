// Adds buttons, a counter, keys and a full screen to the strip of photos. Without this script the strip still scrolls.
const icons = {
  previous: 'M15 5l-7 7 7 7',
  next: 'M9 5l7 7-7 7',
  enlarge: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  close: 'M6 6l12 12M18 6L6 18',
}

function button(name, label, act) {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = name === 'previous' || name === 'next' ? `step ${name}` : name
  made.setAttribute('aria-label', label)
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', icons[name])
  svg.append(path)
  made.append(svg)
  made.addEventListener('click', act)
  return made
}

function counter() {
  const made = document.createElement('p')
  made.className = 'counter'
  made.setAttribute('aria-live', 'polite')
  return made
}

const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }
const calm = matchMedia('(prefers-reduced-motion: reduce)')

function gallery(section) {
  const strip = section.querySelector('.strip')
  const slides = [...strip.children]
  const words = section.dataset
  let at = 0
  const clamp = (index) => Math.min(Math.max(index, 0), slides.length - 1)

  const go = (index) => {
    const left = slides[clamp(index)].offsetLeft - slides[0].offsetLeft
    strip.scrollTo({ left, behavior: calm.matches ? 'instant' : 'smooth' })
    show(clamp(index))
  }
  const previous = button('previous', words.previous, () => go(at - 1))
  const next = button('next', words.next, () => go(at + 1))
  const count = section.querySelector('.counter')
  /** `7 fotos` */
  const all = count.textContent
  count.setAttribute('aria-live', 'polite')
  const show = (index) => {
    slides[at].classList.remove('at')
    slides[index].classList.add('at')
    at = index
    count.textContent = `${at + 1} / ${slides.length}`
    previous.disabled = at === 0
    next.disabled = at === slides.length - 1
  }

  // A photo counts as shown once the strip stops at it; the last ones may never reach the left edge, and on wide screens two are stacked.
  const settle = () => {
    if (strip.scrollLeft + strip.clientWidth >= strip.scrollWidth - 2 && slides.length > 1 && fits(at)) return
    const from = slides[0].offsetLeft
    const distances = slides.map((slide) => Math.abs(slide.offsetLeft - from - strip.scrollLeft))
    const min = Math.min(...distances)
    if (distances[at] !== min) show(distances.indexOf(min))
  }
  const fits = (index) => slides[index].offsetLeft - slides[0].offsetLeft >= strip.scrollLeft - 2
  strip.addEventListener('scrollend', settle)

  strip.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const step = steps[event.key]
    if (step === undefined && event.key !== 'Enter') return
    // The same Enter would also press the button that the full screen focuses.
    event.preventDefault()
    if (step === undefined) open(at)
    else go(at + step)
  })
  slides.forEach((slide, index) => slide.addEventListener('click', () => open(index)))

  let stage = null
  const open = (index) => {
    stage ??= fullScreen(slides, words, (left) => go(left))
    stage(index)
  }
  const enlarge = button('enlarge', `${words.enlarge}: ${all}`, () => open(at))
  const label = document.createElement('span')
  label.textContent = all
  enlarge.append(label)
  const controls = document.createElement('div')
  controls.className = 'controls'
  controls.append(previous, next, enlarge)
  section.append(controls)
  show(0)
}

/** Shorter movements, in pixels, are not a swipe. */
const swipe = 40

/** A dialog with one photo as large as the screen. */
function fullScreen(slides, words, onClose) {
  const dialog = document.createElement('dialog')
  dialog.className = 'stage'
  const picture = document.createElement('img')
  const count = counter()
  /** Preloads the next photo. */
  const ahead = new Image()
  let at = 0
  const show = (index) => {
    at = (index + slides.length) % slides.length
    const shown = slides[at].querySelector('img')
    picture.sizes = '100vw'
    picture.srcset = shown.srcset
    picture.src = shown.src
    picture.alt = shown.alt
    dialog.setAttribute('aria-label', shown.alt)
    const next = slides[(at + 1) % slides.length].querySelector('img')
    ahead.sizes = '100vw'
    ahead.srcset = next.srcset
    count.textContent = `${at + 1} / ${slides.length}`
  }
  dialog.append(
    picture,
    button('previous', words.previous, () => show(at - 1)),
    button('next', words.next, () => show(at + 1)),
    button('close', words.close, () => dialog.close()),
    count,
  )
  dialog.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowLeft') show(at - 1)
    else if (event.key === 'ArrowRight') show(at + 1)
  })
  // For touch, the stylesheet leaves horizontal movements to this script and pinching to the browser.
  let from = null
  dialog.addEventListener('pointerdown', ({ pointerType, isPrimary, clientX }) => {
    from = pointerType === 'touch' && isPrimary ? clientX : null
  })
  dialog.addEventListener('pointercancel', () => (from = null))
  dialog.addEventListener('pointerup', ({ isPrimary, clientX }) => {
    if (from === null || !isPrimary) return
    const way = clientX - from
    if (Math.abs(way) > swipe) show(at - Math.sign(way))
    from = null
  })
  dialog.addEventListener('close', () => onClose(at))
  document.body.append(dialog)
  return (index) => {
    show(index)
    dialog.showModal()
  }
}

for (const section of document.querySelectorAll('[data-gallery]')) gallery(section)
