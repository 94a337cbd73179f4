// The currency of a price follows the operation until a price is typed or a currency chosen.
import { controlsOf, textOf } from './form-controls.js'
const currency = document.querySelector('select[data-usual]')
if (currency !== null) {
  const { form } = currency
  const usual = JSON.parse(currency.dataset.usual)
  let isChosen = false
  currency.addEventListener('change', () => (isChosen = true))
  for (const choice of controlsOf(form, 'operation'))
    choice.addEventListener('change', () => {
      if (choice.checked && !isChosen && textOf(form, 'price.amount') === '')
        currency.value = usual[choice.value]
    })
}
