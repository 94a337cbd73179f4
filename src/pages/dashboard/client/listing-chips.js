// Buttons with suggested words: each adds its word to a field as a line, or removes it.
for (const chips of document.querySelectorAll('[data-chips]')) {
  const field = chips.closest('form').elements[chips.dataset.chips]
  const lines = () =>
    field.value
      .split('\n')
      .map((one) => one.trim())
      .filter(Boolean)
  const mark = () => {
    const there = new Set(lines().map((one) => one.toLowerCase()))
    for (const chip of chips.children)
      chip.setAttribute('aria-pressed', String(there.has(chip.textContent.toLowerCase())))
  }
  chips.hidden = false
  chips.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return
    const word = target.textContent
    const rest = lines().filter((one) => one.toLowerCase() !== word.toLowerCase())
    field.value = (target.getAttribute('aria-pressed') === 'true' ? rest : [...rest, word]).join('\n')
    field.dispatchEvent(new Event('change', { bubbles: true }))
  })
  field.addEventListener('input', mark)
  field.addEventListener('change', mark)
  mark()
}
