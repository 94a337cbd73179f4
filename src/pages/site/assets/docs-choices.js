/* The reader's choices, which the browser remembers: the theme, set before the page is drawn, and the language of the samples. */
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

  document.addEventListener('DOMContentLoaded', () => {
    startTheme()
    startLanguages()
  })
}
