// Loads the script that fills a page's maps.
const box = document.querySelector('[data-map="place"]')
if (box !== null) import(box.dataset.script)
