/** Adds a copy button to every code block and folds the navigation on small screens. */
async function copy(figure, button) {
  await navigator.clipboard.writeText(figure.querySelector('code')?.textContent ?? '')
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}

for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.className = 'copy'
  button.addEventListener('click', () => void copy(figure, button))
  figure.append(button)
}
if (matchMedia('(max-width: 52rem)').matches) {
  document.querySelector('nav.pages details')?.removeAttribute('open')
}
