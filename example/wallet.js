/** Puts the wallet on the page. */
import { mountWallet } from './embed.js'

// A notice is about the last action: it does not appear again after a reload.
history.replaceState(null, '', location.pathname)

const element = document.querySelector('#wallet')
const wallet = mountWallet(element, {
  serviceUrl: element.dataset.serviceUrl,
  clientId: element.dataset.clientId,
  fetchSession: () => post('/wallet/session'),
  saveLink: ({ linkCode }) => post('/wallet/link', { linkCode }),
  clearLink: () => post('/wallet/unlink'),
})
for (const button of document.querySelectorAll('[data-add]')) {
  button.addEventListener('click', () => wallet.openTopup({ amount: button.dataset.add }))
}

// What the shop learns from webhooks while the page is open.
new EventSource('/changes').addEventListener('message', ({ data }) => {
  const { isLinked, text } = JSON.parse(data)
  // Removes notices about missing money, which are now outdated.
  for (const outdated of document.querySelectorAll('.notice.bad, .shortage')) outdated.remove()
  const notice = document.createElement('p')
  notice.className = 'notice good'
  notice.textContent = text
  document.querySelector('#change').replaceChildren(notice)
  if (!isLinked) wallet.reload()
})

async function post(path, body = {}) {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}
