/** Code of an app against the built package: what has to compile, and what must not. It is compiled and never run. */
import { mountWallet, type WalletEvent, type WidgetEvent } from '@coffer/embed'
import { defineCofferWallet, type CofferWalletElement } from '@coffer/embed/element'
import type { WidgetEvent as ContractEvent } from '../../contract/widget/events.ts'

type Equal<A, B> = [A, B] extends [B, A] ? true : false

export const isContract: Equal<WidgetEvent, ContractEvent> = true

const target = document.createElement('div')
const backend = {
  fetchSession: async () => ({ sessionToken: 'ws_1', expiresAt: '2025-03-01T00:00:00.000Z' }),
  saveLink: async ({ linkCode }: { linkCode: string }) => linkCode,
  clearLink: async () => ({ challenge: 'c' }),
}
const app = { serviceUrl: 'https://wallet.example.com', clientId: 'app_1' }

const wallet = mountWallet(target, {
  ...app,
  ...backend,
  onEvent(event) {
    if (event.type === 'SERVICE_AUTH_SUCCESS') checkText(event.linkCode, event.state)
    if (event.type === 'SERVICE_WALLET_UPDATED') event.preventDefault()
    // @ts-expect-error: only a login has a link code.
    if (event.type === 'SERVICE_WALLET_UPDATED') checkText(event.linkCode)
    // @ts-expect-error: there is no such event.
    if (event.type === 'SERVICE_WALLET_DELETED') event.preventDefault()
    // @ts-expect-error: read only.
    event.defaultPrevented = true
  },
  onError: async (error, during) => checkText(String(error), during),
})
wallet.reload()
wallet.openTopup()
wallet.openTopup({ amount: '39.00' })
wallet.destroy()
mountWallet(target, {
  ...app,
  ...backend,
  fetchSession: async () => ({ challenge: 'c' }),
  texts: { retry: 'Noch' },
})

mountWallet(target, { ...app, ...backend, locale: 'de', theme: 'auto' })

// @ts-expect-error: the wallet has no such language.
mountWallet(target, { ...app, ...backend, locale: 'fr' })
// @ts-expect-error: the wallet has no such theme.
mountWallet(target, { ...app, ...backend, theme: 'blue' })
// @ts-expect-error: an app that cannot store the link has no wallet.
mountWallet(target, { ...app, ...backend, saveLink: undefined })
// @ts-expect-error: the session is asked for, not given.
mountWallet(target, { ...app, ...backend, fetchSession: 'ws_1' })
// @ts-expect-error: a missing return value is not the same as "not linked".
mountWallet(target, { ...app, ...backend, fetchSession: async () => undefined })
// @ts-expect-error: whose client app?
mountWallet(target, { serviceUrl: app.serviceUrl, ...backend })
// @ts-expect-error: there is no such text.
mountWallet(target, { ...app, ...backend, texts: { hello: 'Hello' } })
// @ts-expect-error: the target may be missing from the page.
mountWallet(document.querySelector('#wallet'), { ...app, ...backend })

export function explain(event: WalletEvent): string {
  switch (event.type) {
    case 'SERVICE_WALLET_LOADED':
    case 'SERVICE_WALLET_UPDATED':
      return 'wallet'
    case 'SERVICE_OPEN_TOPUP':
      return 'top-up'
    case 'SERVICE_AUTH_REQUIRED':
      return event.reason
    case 'SERVICE_AUTH_SUCCESS':
      return event.serviceUserId
    case 'SERVICE_LOGOUT_REQUEST':
      return 'log-out'
    case 'SERVICE_RESIZED':
      return `${event.height}px`
  }
}

defineCofferWallet()
const element: CofferWalletElement = document.createElement('coffer-wallet')
Object.assign(element, backend)
element.fetchSession = async () => ({ challenge: 'c' })
element.reload()
element.openTopup()
element.addEventListener('coffer:auth-success', ({ detail }) => checkText(detail.linkCode))
document.addEventListener('coffer:auth-required', ({ detail }) => checkText(detail.reason))
document.addEventListener('coffer:error', ({ detail }) => checkText(detail.during))
// @ts-expect-error: neither does a wallet's load carry a link code.
element.addEventListener('coffer:wallet-loaded', ({ detail }) => checkText(detail.linkCode))
// @ts-expect-error: a session is not a callback.
element.saveLink = 'ws_1'

function checkText(..._texts: (string | undefined)[]) {}
