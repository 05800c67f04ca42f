/** Puts the wallet on the page. */
import { mountWallet } from './embed.js'

const element = document.querySelector('#wallet')
const wallet = mountWallet(element, {
  serviceUrl: element.dataset.serviceUrl,
  clientId: element.dataset.clientId,
  fetchSession: () => post('/wallet/session'),
  saveLink: ({ linkCode }) => post('/wallet/link', { linkCode }),
  clearLink: () => post('/wallet/unlink'),
})
document.querySelector('#top-up')?.addEventListener('click', () => wallet.openTopup())

async function post(path, body = {}) {
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.json()
}
