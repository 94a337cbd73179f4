// Pictures that can wait have waited for the first one, see style.css.
const there = () => document.documentElement.classList.add('there')
if (document.readyState === 'complete') there()
else addEventListener('load', there)
