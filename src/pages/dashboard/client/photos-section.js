// Waits for the section with a listing's photos: the form of a new listing gets it once there is a draft.

/** Calls `start` with the section as soon as the page has it. */
export function withPhotos(start) {
  const section = document.querySelector('[data-photos]')
  if (section !== null) start(section)
  else document.addEventListener('photos-shown', () => withPhotos(start), { once: true })
}
