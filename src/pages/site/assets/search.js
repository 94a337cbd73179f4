// The URL of a search holds what was asked, and not every field that was left empty: people pass it on.
document.querySelector('form.search')?.addEventListener('formdata', ({ formData }) => {
  const empty = [...formData].filter(([, value]) => value === '')
  for (const [name] of empty) formData.delete(name)
})
