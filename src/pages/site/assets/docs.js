// The documentation's script: buttons that copy samples, the contents, search, and the forms that send requests. The page is complete
// without it.
import { element } from './docs-element.js'
import { startForms } from './docs-requests.js'
import { startSearch } from './docs-search.js'

const startCopying = () => {
  // Browsers offer it only on secure pages.
  if (navigator.clipboard === undefined) return
  const copyButton = (textOf) => {
    const button = element('button', { type: 'button', className: 'copy' }, 'Copy')
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(textOf())
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    return button
  }
  for (const group of document.querySelectorAll('.code')) {
    const textOf = () => group.querySelector(':scope > [data-language]:not([hidden]) pre').textContent
    group.querySelector('.languages').append(copyButton(textOf))
  }
  for (const block of document.querySelectorAll('.prose pre:not(.code pre)')) {
    const text = block.textContent
    block.prepend(copyButton(() => text))
  }
}

const wide = matchMedia('(min-width: 64rem)')
const startMenu = () => {
  const menu = document.querySelector('details.menu')
  const follow = () => (menu.open = wide.matches)
  wide.addEventListener('change', follow)
  follow()
  menu.addEventListener('click', ({ target }) => {
    if (!wide.matches && target instanceof Element && target.closest('a') !== null) menu.open = false
  })
  // On a phone the open contents cover the text.
  document.addEventListener('click', ({ target }) => {
    if (!wide.matches && target instanceof Element && target.closest('.menu') === null) menu.open = false
  })
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || wide.matches) return
    menu.open = false
    menu.querySelector('summary').focus()
  })
  menu.addEventListener('toggle', () => {
    const [contents, current] = [menu.querySelector('nav'), menu.querySelector('[aria-current]')]
    if (!wide.matches && current !== null) contents.scrollTop = current.offsetTop - contents.clientHeight / 3
  })
  menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
}

/** Marks the part of the page that is being read, and shows its name while the contents are closed. */
const startMarks = () => {
  const menu = document.querySelector('.menu')
  const where = menu.querySelector('.where')
  const page = menu.querySelector('[aria-current="page"]')
  const links = [...document.querySelectorAll('a[href*="#"]')].filter(
    (link) => link.pathname === location.pathname && link.closest('.menu, .onpage') !== null,
  )
  const ids = new Set(links.map(({ hash }) => decodeURIComponent(hash.slice(1))))
  // In the order of the page, which differs from that of the contents.
  const parts = [...document.querySelectorAll('main [id]')].filter(({ id }) => ids.has(id))
  if (parts.length === 0) return
  const passed = new Set()
  const isAtEnd = () => document.documentElement.scrollHeight - innerHeight - scrollY < 4
  const isCurrent = ({ hash }, part) => decodeURIComponent(hash.slice(1)) === part?.id
  let marked = null
  const mark = () => {
    // Short parts at the end never reach the top.
    const asked = isAtEnd() ? parts.find((part) => isCurrent(location, part)) : undefined
    const part = asked ?? parts.findLast((one) => passed.has(one))
    if (part === marked) return
    marked = part
    for (const link of links) link.removeAttribute('aria-current')
    const current = links.filter((link) => isCurrent(link, part))
    // Either the page's link or the link of one of its parts is marked.
    if (current.some((link) => menu.contains(link) && link.closest('.sections') === null))
      page?.removeAttribute('aria-current')
    else page?.setAttribute('aria-current', 'page')
    for (const link of current) {
      link.setAttribute('aria-current', 'location')
      const [box, frame] = [link.getBoundingClientRect(), menu.getBoundingClientRect()]
      if (menu.contains(link) && wide.matches && (box.top < frame.top || box.bottom > frame.bottom))
        menu.scrollTop += box.top - frame.top - frame.height / 3
    }
    const name = current[0]?.lastChild.textContent ?? page?.lastChild.textContent ?? ''
    where.textContent = name === '' ? '' : `· ${name.trim()}`
  }
  let observer
  const observe = () => {
    observer?.disconnect()
    passed.clear()
    // A part is passed when its beginning is above a line just below the target position of links.
    const line = Number.parseFloat(getComputedStyle(parts[0]).scrollMarginTop) + 24
    const options = { rootMargin: `9999999px 0px ${line - innerHeight}px` }
    observer = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes)
        if (isIntersecting) passed.add(target)
        else passed.delete(target)
      mark()
    }, options)
    for (const part of parts) observer.observe(part)
  }
  observe()
  addEventListener('resize', observe)
  addEventListener('hashchange', mark)
}

startCopying()
startMenu()
startMarks()
startSearch()
startForms()
