// The URL of a search holds what was asked, and not every field that was left empty: people pass it on.
document.querySelector('form.search')?.addEventListener('formdata', ({ formData }) => {
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
})
