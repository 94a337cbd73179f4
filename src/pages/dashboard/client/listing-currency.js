// The currency of a price follows the operation, until somebody types a price or chooses a currency.
const currency = document.querySelector('[data-usual]')
if (currency !== null) {
  const { elements } = currency.form
  const usual = JSON.parse(currency.dataset.usual)
  let isChosen = false
  currency.addEventListener('change', () => (isChosen = true))
  for (const choice of elements.operation)
    choice.addEventListener('change', () => {
      if (choice.checked && !isChosen && elements['price.amount'].value === '')
        currency.value = usual[choice.value]
    })
}
