// Marks the page as loaded: other pictures appear only then, see style.css.
const there = () => document.documentElement.classList.add('there')
if (document.readyState === 'complete') there()
else addEventListener('load', there)
