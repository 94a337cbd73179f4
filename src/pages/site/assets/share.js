// Shares the page with the device's share sheet or, without one, by a copied link; and prints it.
for (const list of document.querySelectorAll('[data-share]')) {
  const { share: title, url, copied } = list.dataset
  const button = list.querySelector('[data-pass]')
  const label = button.querySelector('span')
  const first = label.textContent

  const copy = async () => {
    await navigator.clipboard.writeText(url)
    label.textContent = copied
    setTimeout(() => (label.textContent = first), 3_000)
  }
  button.addEventListener('click', async () => {
    try {
      if (navigator.share === undefined) await copy()
      else await navigator.share({ title, url })
    } catch (error) {
      // Closing the sheet is not a failure. If it cannot open, the link is copied.
      if (error.name !== 'AbortError' && navigator.share !== undefined) await copy()
    }
  })
  // Neither exists on a page without HTTPS.
  button.hidden = navigator.share === undefined && navigator.clipboard === undefined
  list.querySelector('[data-print]').addEventListener('click', () => print())
}
