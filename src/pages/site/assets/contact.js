// Tells the page's own address, and nobody else, that the agency was called or written to, or the page passed on.
document.addEventListener('click', (event) => {
  const pressed = event.target.closest('[data-contact]')
  if (pressed !== null) navigator.sendBeacon(`${location.pathname}/contacto`, pressed.dataset.contact)
})
