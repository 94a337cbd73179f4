// The search in the documentation.
import { element } from './docs-element.js'

const fold = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}/_-]+/u)
    .filter((word) => word !== '')
export function startSearch() {
  const { root: way, search } = document.body.dataset
  const input = document.querySelector('input#search')
  const found = document.querySelector('#found')
  let entries
  const load = () => (entries ??= fetch(search).then((response) => response.json()))
  const begins = (text, word) => text.startsWith(word) || text.includes(` ${word}`)
  /** The points of a word: most in a title, fewer as a synonym, fewest in a text. */
  const worth = (word, { name, synonyms = '', text }) => {
    if (begins(name, word)) return 10
    if (begins(synonyms, word)) return 8
    if (name.includes(word)) return 5
    if (begins(text, word)) return 2
    return text.includes(word) ? 1 : 0
  }
  const rank = (entry, words) => {
    const title = fold(entry.title).join(' ')
    const part = { ...entry, name: `${title} ${title.replaceAll('_', ' ')}` }
    // Singular and plural match each other.
    const single = (word) => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word)
    const points = words.map((word) => Math.max(worth(word, part), worth(single(word), part)))
    if (points.includes(0)) return 0
    const isPage = entry.kind === 'Guide' || entry.kind.includes(' /')
    return points.reduce((sum, one) => sum + one) + (isPage ? 3 : 0) + (title === words.join(' ') ? 5 : 0)
  }
  const show = async () => {
    const words = fold(input.value)
    found.hidden = words.length === 0
    if (words.length === 0) return
    const known = await load()
    // The query has changed in the meantime.
    if (fold(input.value).join() !== words.join()) return
    const ranked = known
      .map((entry) => ({ entry, points: rank(entry, words) }))
      .filter(({ points }) => points > 0)
      .sort((one, other) => other.points - one.points)
      .slice(0, 12)
    const links = ranked.map(({ entry }) =>
      element(
        'li',
        {},
        element('a', { href: `${way}/${entry.href}` }, entry.title, element('span', {}, entry.kind)),
      ),
    )
    const count = links.length === 0 ? 'Nothing found.' : `${links.length} found`
    found.replaceChildren(element('p', {}, count), element('ul', {}, ...links))
  }
  input.addEventListener('focus', load, { once: true })
  input.addEventListener('input', show)
  const close = () => (found.hidden = true)
  found.addEventListener('click', close)
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('.search') === null) close()
  })
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (!(target instanceof Element)) return
    const links = [...found.querySelectorAll('a')]
    const index = links.findIndex((link) => link === document.activeElement)
    if (key === '/' && !target.matches('input, textarea, select')) {
      event.preventDefault()
      input.focus()
    } else if (key === 'Escape' && !found.hidden) {
      close()
      input.focus()
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && target.closest('.search') !== null) {
      event.preventDefault()
      const next = links[index + (key === 'ArrowDown' ? 1 : -1)]
      ;(next ?? input).focus()
    }
  })
  document.querySelector('.search').hidden = false
}
