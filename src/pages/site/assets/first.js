// Marks the page as loaded. Until then, style.css hides pictures that load lazily.
const there = () => document.documentElement.classList.add('there')
if (document.readyState === 'complete') there()
else addEventListener('load', there)
