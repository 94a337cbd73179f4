// Sends requests from the reference's forms, and shows the responses.
import { element } from './docs-element.js'

/** Each form has a field for the key, and all have the same value. */
const keyFields = 'input[data-is="key"]'
let keyField

/** Fills the listing of the last response into forms that need one. */
const offerId = (body) => {
  const id = [body?.data].flat()[0]?.id
  if (typeof id !== 'string') return
  for (const field of document.querySelectorAll('input[name="path:id"]'))
    if (field.value === '') field.value = id
}
const valuesOf = (form, part) =>
  [...form.elements]
    .filter(({ name, value }) => name?.startsWith(`${part}:`) && value !== '')
    .map(({ name, value }) => [name.slice(part.length + 1), value])
const send = async (form) => {
  const { method, path, key } = form.dataset
  let filled = path
  for (const [name, value] of valuesOf(form, 'path'))
    filled = filled.replace(`{${name}}`, encodeURIComponent(value))
  const query = new URLSearchParams(valuesOf(form, 'query')).toString()
  const url = new URL(
    `api/v1${filled === '/' ? '' : filled}`,
    new URL(`${document.body.dataset.root}/`, location.href),
  )
  const headers = Object.fromEntries(valuesOf(form, 'header'))
  if (key === 'yes') headers['X-API-Key'] = keyField.value.trim()
  if (form.querySelector('[data-chosen]') !== null && !headers['Idempotency-Key'])
    headers['Idempotency-Key'] = `docs-${Date.now()}-${Math.random().toString(36).slice(2, 10)}`
  const body = form.elements.namedItem('body')?.value
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const start = performance.now()
  const response = await fetch(query === '' ? url : `${url}?${query}`, {
    method,
    headers,
    body,
    cache: 'no-store',
  })
  return { response, text: await response.text(), ms: Math.round(performance.now() - start) }
}
const hints = {
  origin_not_allowed:
    'Browsers can write with test keys only, and only on the public address of the service. Create a test key in the dashboard.',
  invalid_signature: 'Requests are not signed here. Use a key that does not require signatures.',
}
const shownHeaders = ['ETag', 'Retry-After', 'X-RateLimit-Remaining', 'Idempotent-Replayed', 'X-Request-Id']
const showResult = (result, { response, text, ms }) => {
  let body = null
  let shown = text
  try {
    body = JSON.parse(text)
    shown = JSON.stringify(body, null, 2)
  } catch {
    // A response without a body.
  }
  offerId(body)
  const headers = shownHeaders.filter((name) => response.headers.has(name))
  const lines = headers.map((name) => `${name}: ${response.headers.get(name)}`)
  result.replaceChildren(
    element(
      'p',
      {},
      element('b', { className: response.status < 400 ? '' : 'wrong' }, `HTTP ${response.status}`),
      ` · ${ms} ms`,
    ),
  )
  const hint = hints[body?.error?.code]
  if (hint !== undefined) result.append(element('p', {}, hint))
  const shownText = [...lines, '', shown].join('\n').trim()
  result.append(element('pre', { tabIndex: 0 }, element('code', {}, shownText)))
}
export function startForms() {
  for (const hidden of document.querySelectorAll('.try, .key')) hidden.hidden = false
  keyField = document.querySelector(keyFields)
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(keyFields))
      for (const field of document.querySelectorAll(keyFields))
        if (field !== target) field.value = target.value
  })
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.dataset.fills !== undefined)
      document.querySelector(`textarea#${target.dataset.fills}`).value = target.value
  })
  document.addEventListener('submit', async (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement)) return
    event.preventDefault()
    const result = form.querySelector('.result')
    const missing = [...form.elements].find(({ required, value }) => required && value === '')
    if (missing !== undefined) {
      result.replaceChildren(
        element('p', { className: 'wrong' }, `${missing.name.split(':')[1]} is required.`),
      )
      missing.focus()
      return
    }
    if (form.dataset.key === 'yes' && keyField.value.trim() === '') {
      result.replaceChildren(element('p', { className: 'wrong' }, 'Enter an API key first.'))
      form.querySelector(keyFields).focus()
      return
    }
    const button = form.querySelector('button[type=submit]')
    button.disabled = true
    try {
      showResult(result, await send(form))
    } catch (error) {
      result.replaceChildren(element('p', { className: 'wrong' }, `The request failed: ${error.message}`))
    } finally {
      button.disabled = false
    }
  })
}
