// Passes the page on: by the device's own sheet where it has one, as a copied link elsewhere; and prints it.
for (const list of document.querySelectorAll('[data-share]')) {
  const { share: title, url, copied } = list.dataset
  const pass = list.querySelector('[data-pass]')
  const label = pass.querySelector('span')
  const first = label.textContent

  const copy = async () => {
    await navigator.clipboard.writeText(url)
    label.textContent = copied
    setTimeout(() => (label.textContent = first), 3_000)
  }
  pass.addEventListener('click', async () => {
    try {
      if (navigator.share === undefined) await copy()
      else await navigator.share({ title, url })
    } catch (error) {
      // Closing the sheet is no failure. Where it cannot open, the link is copied.
      if (error.name !== 'AbortError' && navigator.share !== undefined) await copy()
    }
  })
  // Neither exists where the page came without encryption.
  pass.hidden = navigator.share === undefined && navigator.clipboard === undefined
  list.querySelector('[data-print]').addEventListener('click', () => print())
}
