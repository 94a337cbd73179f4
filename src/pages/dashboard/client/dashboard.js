// Conveniences for the dashboard's pages, which all work without this file.

// Copying: the button appears only where it works.
for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy)
  if (source === null || navigator.clipboard === undefined) continue
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.innerText.trim())
    const label = button.querySelector('[data-label]') ?? button
    const before = label.textContent
    label.textContent = button.dataset.done
    setTimeout(() => {
      label.textContent = before
    }, 2000)
  })
}

// Unsaved text of a listing's form (listing-keep.js) is forgotten on any other page, except signing in and errors, which lead back to the
// form.
if (
  document.querySelector('.shell') !== null &&
  document.querySelector('[data-listing-form], [data-error]') === null
)
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('listing ')) sessionStorage.removeItem(key)
  } catch {
    // Without storage there is nothing to forget.
  }

// On a narrow screen the active tab may be out of sight. `scrollIntoView` would move the start of the keyboard's focus too.
const tab = document.querySelector('.tabs [aria-current]')
if (tab !== null) {
  const [strip, shown] = [tab.parentElement.getBoundingClientRect(), tab.getBoundingClientRect()]
  tab.parentElement.scrollLeft += shown.left + shown.width / 2 - (strip.left + strip.width / 2)
}

// Shows that another page is loading, unless it arrives at once. Saving a file does not replace the page.
const { dataset: state } = document.documentElement
let leaving = []
function leave() {
  stay()
  leaving = [setTimeout(() => (state.leaving = ''), 150), setTimeout(stay, 15_000)]
}
function stay() {
  for (const timer of leaving) clearTimeout(timer)
  delete state.leaving
}
addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  if (
    link === null ||
    elsewhere ||
    event.defaultPrevented ||
    link.target !== '' ||
    link.hasAttribute('download')
  )
    return
  const { origin, pathname, search } = location
  const isHere = link.pathname === pathname && link.search === search
  if (link.origin === origin && !isHere) leave()
})

// A form is sent once, however often its button is pressed, and the button shows that it was sent.
addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
  if (form.method === 'post') {
    if (form.dataset.sent !== undefined) {
      event.preventDefault()
      return
    }
    form.dataset.sent = ''
  }
  submitter?.setAttribute('aria-busy', 'true')
  leave()
})
// Going back shows the page as it was left: its form can be sent again.
addEventListener('pageshow', () => {
  stay()
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
  for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy')
})

// A problem links to its field, which is scrolled to the middle of the screen, also from a folded part.
for (const link of document.querySelectorAll('a[data-field]')) {
  link.addEventListener('click', (event) => {
    // A selector would take the dots in names of fields for classes.
    const field = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    if (field === null) return
    event.preventDefault()
    for (let part = field.closest('details'); part !== null; part = part.parentElement.closest('details'))
      part.open = true
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center' })
  })
}

// Fields that submit their form when they change, such as the order of a list.
for (const field of document.querySelectorAll('select[data-auto]')) {
  field.addEventListener('change', () => field.form.requestSubmit())
}

// Parts of a form that depend on other fields. Hidden fields are not sent.
function hide(part, isHidden) {
  part.hidden = isHidden
  for (const field of part.querySelectorAll('input, select, textarea')) field.disabled = isHidden
}
for (const part of document.querySelectorAll('[data-only-with]')) {
  const [name, ...values] = part.dataset.onlyWith.split(' ')
  const fields = [...part.closest('form').elements].filter((field) => field.name === name)
  const show = () => {
    const chosen = fields.filter((field) => field.tagName === 'SELECT' || field.checked)
    hide(part, !chosen.some((field) => values.includes(field.value)))
  }
  for (const field of fields) field.addEventListener('change', show)
  show()
}
for (const part of document.querySelectorAll('[data-never-with]')) {
  const [name, ...values] = part.dataset.neverWith.split(' ')
  const [exempting, exempt] = (part.dataset.unless ?? '').split(' ')
  const fields = [...part.closest('form').elements]
  const isChosen = (named, wanted) =>
    fields.some(
      (field) =>
        field.name === named && (field.tagName === 'SELECT' || field.checked) && wanted.includes(field.value),
    )
  const show = () => {
    hide(part, isChosen(name, values) && !isChosen(exempting, [exempt]))
  }
  for (const field of fields)
    if ([name, exempting].includes(field.name)) field.addEventListener('change', show)
  show()
}

// A menu closes on a click elsewhere and on Escape.
for (const menu of document.querySelectorAll('details[data-menu]')) {
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false
  })
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    menu.open = false
    menu.querySelector('summary').focus()
  })
}

// The slash focuses the search box, as in the documentation.
const find = document.querySelector('input[data-find]')
document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable]') !== null
  if (find === null || event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  find.focus()
  find.select()
})
