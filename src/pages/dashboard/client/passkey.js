// Requests a passkey from the browser when a form is sent. Only then is the service's challenge fetched, because it expires soon.
const isSupported =
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential

const ceremonies = {
  get: (options) =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  create: (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
}

for (const form of document.querySelectorAll('form[data-passkey]')) {
  const problem = form.querySelector('[data-problem]')
  const say = (text) => {
    problem.textContent = text
    problem.hidden = text === ''
  }
  form.hidden = false
  if (isSupported) form.addEventListener('submit', (event) => respond(event, form, say))
  else {
    say(form.dataset.unsupported)
    // Nothing went wrong: the person may not have a passkey at all.
    problem.className = 'hint'
    for (const button of form.querySelectorAll('button')) button.disabled = true
  }
}

/** Fills in the responses, then lets the form be sent. Responses that a refused form still has are still valid. */
async function respond(event, form, say) {
  const missing = [...form.querySelectorAll('input[data-ceremony]')].filter(({ value }) => value === '')
  if (missing.length === 0) return
  event.preventDefault()
  if (form.dataset.busy !== undefined) return
  form.dataset.busy = ''
  say('')
  try {
    for (const field of missing) {
      const response = await fetch(field.dataset.options, { headers: { accept: 'application/json' } })
      // The session is over: the page leads to signing in.
      if (response.status === 401) return location.reload()
      const { options, token } = await response.json()
      field.value = JSON.stringify({ token, credential: await ceremonies[field.dataset.ceremony](options) })
    }
    form.requestSubmit(event.submitter)
  } catch (error) {
    say(error.name === 'InvalidStateError' ? form.dataset.there : form.dataset.failed)
  } finally {
    delete form.dataset.busy
  }
}
