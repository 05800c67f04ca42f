const query = new URLSearchParams(location.search)
const isOverlay = query.get('overlay') === 'true'
const buttons = [...document.querySelectorAll('button')]

/** @param {string} outcome */
async function answer(outcome) {
  for (const button of buttons) button.disabled = true
  try {
    const response = await fetch(location.pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome }),
    })
    const { returnUrl } = await response.json()
    if (isOverlay) leaveOverlay()
    else if (typeof returnUrl === 'string') location.replace(returnUrl)
    else showTrouble()
  } catch {
    showTrouble()
  }
}

/** Notifies only the page that opened the overlay, which then retrieves the intent again. */
function leaveOverlay() {
  window.parent.postMessage({ type: 'challenge-over' }, query.get('origin') ?? location.origin)
}

function showTrouble() {
  document.getElementById('trouble')?.removeAttribute('hidden')
  for (const button of buttons) button.disabled = false
}

for (const button of buttons) {
  button.addEventListener('click', () => void answer(button.dataset['outcome'] ?? 'failed'))
}
document.getElementById('title')?.focus()
