// Marks the page as loaded: pictures that can wait appear then, see style.css.
const there = () => document.documentElement.classList.add('there')
if (document.readyState === 'complete') there()
else addEventListener('load', there)
