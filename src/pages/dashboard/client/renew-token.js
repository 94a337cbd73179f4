// After signing in again in another tab, the forms of this one get the token of the new session.

/** @returns whether there is a new token */
export async function renewToken() {
  try {
    const page = await (await fetch(location.href)).text()
    const token = new DOMParser().parseFromString(page, 'text/html').querySelector('main input[name="_csrf"]')
    if (!(token instanceof HTMLInputElement)) return false
    for (const field of document.querySelectorAll('input[name="_csrf"]')) field.value = token.value
    return true
  } catch {
    return false
  }
}
