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

// On a narrow screen the active tab may be out of sight.
document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

// A form is sent once, however often its button is pressed.
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent !== undefined) event.preventDefault()
    form.dataset.sent = ''
  })
}
// Going back shows the page as it was left: its form can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent
})

// Choices that submit their form at once, such as the order of a list.
for (const field of document.querySelectorAll('[data-auto]')) {
  field.addEventListener('change', () => field.form.requestSubmit())
}

// Parts of a form that only some choices need. Hidden fields are not sent.
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
    fields.some((field) => field.name === named && field.checked && wanted.includes(field.value))
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
    if (!menu.contains(event.target)) menu.open = false
  })
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    menu.open = false
    menu.querySelector('summary').focus()
  })
}
