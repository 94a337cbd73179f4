// Announces the first call of a new key. Polls often at first, less later, and not while the page is hidden.
const box = document.querySelector('[data-first-call]')
const text = box?.querySelector('[data-text]')
const quarterHourMs = 900_000
const began = Date.now()
let waitMs = 2_000

async function poll() {
  if (document.hidden) return later()
  try {
    const response = await fetch(box.dataset.firstCall, { headers: { accept: 'application/json' } })
    if (!response.ok) return
    const found = await response.json()
    if (found.arrived) return announce(found)
  } catch {
    // The next poll may reach it.
  }
  later()
}

function later() {
  if (Date.now() - began > quarterHourMs) return
  waitMs = Math.min(waitMs * 1.1, 10_000)
  setTimeout(poll, waitMs)
}

function announce({ succeeded, text: words, url }) {
  text.textContent = words
  box.classList.remove('notice-info')
  box.classList.add(succeeded ? 'notice-good' : 'notice-warn')
  const link = box.querySelector('a')
  link.href = url
  link.textContent = box.dataset.link
  // After a refused call, one that succeeds is still to come.
  if (!succeeded) later()
}

if (box !== null) {
  text.hidden = false
  later()
}
