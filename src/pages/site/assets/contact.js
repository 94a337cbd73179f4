// Reports to this service, and to no other, that a contact or share button was pressed.
document.addEventListener('click', (event) => {
  const pressed = event.target instanceof Element ? event.target.closest('[data-contact]') : null
  if (pressed !== null) navigator.sendBeacon(`${location.pathname}/contacto`, pressed.dataset.contact)
})
