/* The documentation's script: theme, language of the samples, search, and the forms that send requests. The page is whole without it. */
{
  const root = document.documentElement
  root.classList.add('js')
  // A browser may refuse to store anything.
  const recall = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const remember = (name, value) => {
    try {
      localStorage.setItem(name, value)
    } catch {
      // Then the next page starts with the default.
    }
  }
  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties)
    made.append(...children)
    return made
  }

  const theme = recall('docs-theme')
  if (theme !== null) root.dataset.theme = theme

  const startTheme = () => {
    const button = document.querySelector('.theme')
    const isDark = () =>
      (root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) ===
      'dark'
    const show = () => {
      button.textContent = isDark() ? 'Light' : 'Dark'
      button.setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours')
    }
    button.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark'
      remember('docs-theme', root.dataset.theme)
      show()
    })
    button.hidden = false
    show()
  }

  const showLanguage = (chosen) => {
    for (const group of document.querySelectorAll('.code')) {
      const blocks = [...group.querySelectorAll(':scope > [data-language]')]
      const shown = blocks.find((block) => block.dataset.language === chosen) ?? blocks[0]
      for (const block of blocks) block.hidden = block !== shown
      for (const button of group.querySelectorAll('button[data-language]'))
        button.setAttribute('aria-pressed', String(button.dataset.language === shown.dataset.language))
      group.querySelector('.languages').hidden = false
      group.classList.add('ready')
    }
  }
  const startLanguages = () => {
    showLanguage(recall('docs-language') ?? 'curl')
    document.addEventListener('click', ({ target }) => {
      if (!(target instanceof HTMLButtonElement) || !target.matches('[data-language]')) return
      const before = target.getBoundingClientRect().top
      remember('docs-language', target.dataset.language)
      showLanguage(target.dataset.language)
      // The length of the samples above has changed.
      scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
    })
  }

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
    // On a phone they cover the text.
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
      if (!wide.matches && current !== null)
        contents.scrollTop = current.offsetTop - contents.clientHeight / 3
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
    const isAtEnd = () => root.scrollHeight - innerHeight - scrollY < 4
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

  const fold = (text) =>
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}/_-]+/u)
      .filter((word) => word !== '')
  const startSearch = () => {
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
      const place = links.findIndex((link) => link === document.activeElement)
      if (key === '/' && !target.matches('input, textarea, select')) {
        event.preventDefault()
        input.focus()
      } else if (key === 'Escape' && !found.hidden) {
        close()
        input.focus()
      } else if ((key === 'ArrowDown' || key === 'ArrowUp') && target.closest('.search') !== null) {
        event.preventDefault()
        const next = links[place + (key === 'ArrowDown' ? 1 : -1)]
        ;(next ?? input).focus()
      }
    })
    document.querySelector('.search').hidden = false
  }

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
  const valuesOf = (form, place) =>
    [...form.elements]
      .filter(({ name, value }) => name?.startsWith(`${place}:`) && value !== '')
      .map(({ name, value }) => [name.slice(place.length + 1), value])
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
  const startForms = () => {
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

  document.addEventListener('DOMContentLoaded', () => {
    startTheme()
    startLanguages()
    startCopying()
    startMenu()
    startMarks()
    startSearch()
    startForms()
  })
}
