// Leaves empty fields out of the URL of a search, because people share it.
document.querySelector('form.search')?.addEventListener('formdata', ({ formData }) => {
  const empty = [...formData].filter(([, value]) => value === '')
  for (const [name] of empty) formData.delete(name)
})
