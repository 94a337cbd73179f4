// Loads what fills the maps of a page.
const box = document.querySelector('[data-map="place"]')
if (box !== null) import(box.dataset.script)
