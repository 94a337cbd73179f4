// Reads and sets the fields of a form by name. Radio buttons and checkboxes of one name are one field.

const isBox = ({ type }) => type === 'radio' || type === 'checkbox'

/** @param {HTMLFormElement} form */
export function controlsOf(form, name) {
  return [...form.elements].filter((control) => control.name === name)
}

/** @returns what the form would send; null where it has no such field */
export function textOf(form, name) {
  const controls = controlsOf(form, name)
  const [first] = controls
  if (first === undefined) return null
  return isBox(first) ? (controls.find(({ checked }) => checked)?.value ?? '') : first.value
}

export function setText(form, name, text) {
  for (const control of controlsOf(form, name)) {
    if (isBox(control)) control.checked = control.value === text
    else control.value = text
    // Parts of the form may depend on it, such as those of rentals.
    control.dispatchEvent(new Event('change', { bubbles: true }))
  }
}
