/** The shop's two pages. */
import { listActions } from './list-actions.ts'
import { PRODUCTS, showPrice } from './products.ts'
import type { Order, User } from './store.ts'

const NOTICES = {
  paid: ['good', 'Paid from your wallet. Thank you!'],
  refunded: ['good', 'Refunded to the wallet that paid.'],
  'partly-refunded': ['good', 'A part was refunded to the wallet that paid.'],
  reserved: ['good', 'Reserved in your wallet. You pay when your order is weighed.'],
  canceled: ['good', 'Canceled. The reserved money is back in your wallet.'],
  'reservation-over': [
    'bad',
    'The reservation has ended, so nothing was paid. The money is back in your wallet. Order again.',
  ],
  insufficient: ['bad', 'Your wallet does not hold enough for this. Add money, then pay again.'],
  limited: [
    'bad',
    'You limit what this shop may take from your wallet. Change the limit in your wallet account, then pay again.',
  ],
  frozen: ['bad', 'Your wallet is frozen. Please write to the wallet’s support.'],
  unlinked: ['bad', 'Your wallet is not linked yet. Log in to it on this page, then pay again.'],
  unknown: [
    'bad',
    'The wallet did not respond in time. Press the button again: you never pay twice.',
  ],
  'try-again': [
    'bad',
    'Your last try did not go through. Nothing was paid. Press the button again.',
  ],
  'reference-used': [
    'bad',
    'This order cannot be paid, because its payment reference belongs to another payment. Nothing was paid now. Order again.',
  ],
  'payer-gone': [
    'bad',
    'The wallet that paid this order was deleted, so the order was not refunded. Please write to us.',
  ],
  'log-in-failed': ['bad', 'Name or password is wrong.'],
  'name-taken': ['bad', 'Choose another name, and a password of at least 6 characters.'],
} as const
export type Notice = keyof typeof NOTICES

export function renderLogIn(notice: Notice | null): string {
  return renderPage(
    'Log in',
    `<main class="door">
      <h1>Bean &amp; Leaf</h1>
      <p>An example shop. Its users are its own; the wallet is Coffer’s.</p>
      ${renderNotice(notice)}
      <form method="post" action="/log-in">
        <label>Name <input name="name" required autocomplete="username"></label>
        <label>Password <input name="password" type="password" required autocomplete="current-password"></label>
        <div class="buttons">
          <button>Log in</button>
          <button formaction="/sign-up" class="plain">Sign up</button>
        </div>
      </form>
    </main>`,
  )
}

/** An order that the wallet could not pay, and what is missing: '39.00'. */
export interface Shortage {
  orderId: string
  missing: string
}

interface ShopView {
  user: User
  orders: Order[]
  shortage: Shortage | undefined
  notice: Notice | null
  serviceUrl: string
  clientId: string
}

export function renderShop(view: ShopView): string {
  const { user, orders, shortage, notice, serviceUrl, clientId } = view
  return renderPage(
    'Shop',
    `<header>
      <h1>Bean &amp; Leaf</h1>
      <form method="post" action="/log-out"><span>${escape(user.name)}</span> <button class="plain">Log out</button></form>
    </header>
    <main class="shop">
      <div>
        ${renderNotice(notice)}
        <div id="change" aria-live="polite"></div>
        <section aria-labelledby="products">
          <h2 id="products">Today</h2>
          <ul class="products">${PRODUCTS.map(
            ({ id, name, price }) => `<li>
              <span>${escape(name)}</span><span class="price">${showPrice(price)}</span>
              <form method="post" action="/orders"><button name="product" value="${id}" class="plain" aria-label="Order ${escape(name)}">Order</button></form>
            </li>`,
          ).join('')}</ul>
        </section>
        <section aria-labelledby="orders">
          <h2 id="orders">Your orders</h2>
          ${orders.length === 0 ? '<p class="muted">Nothing yet. Order something above.</p>' : ''}
          <ul class="orders">${orders.map((order) => renderOrder(order, shortage)).join('')}</ul>
        </section>
      </div>
      <section aria-labelledby="wallet-title">
        <h2 id="wallet-title">Your wallet</h2>
        <div id="wallet" data-service-url="${escape(serviceUrl)}" data-client-id="${escape(clientId)}"></div>
      </section>
    </main>
    <script type="module" src="/wallet.js"></script>`,
  )
}

function renderOrder(order: Order, shortage: Shortage | undefined): string {
  const { id, item, price, status } = order
  // Enough of the id to tell one's own orders apart.
  const name = id.slice(0, 8)
  const buttons = listActions(order).map(
    ({ path, word, label, isMain }) =>
      `<form method="post" action="${path}"><button name="order" value="${id}" class="${isMain ? '' : 'plain'}" aria-label="${label} order ${name}">${word}</button></form>`,
  )
  return `<li>
    <span>Order ${name}<br><span class="muted">${escape(item)}</span></span>
    <span class="price">${showPrice(price)}</span>
    <span class="state state-${status.replace(' ', '-')}">${status}</span>
    ${buttons.length > 0 ? `<div class="actions">${buttons.join('')}</div>` : ''}
    ${shortage?.orderId === id ? renderShortage(shortage.missing) : ''}
  </li>`
}

function renderShortage(missing: string): string {
  const shown = showPrice(missing)
  return `<p class="shortage" role="status">You need ${shown} more. <button class="plain" type="button" data-add="${missing}">Add ${shown}</button></p>`
}

function renderNotice(notice: Notice | null): string {
  const known = notice === null || !Object.hasOwn(NOTICES, notice) ? undefined : NOTICES[notice]
  return known ? `<p class="notice ${known[0]}" role="status">${known[1]}</p>` : ''
}

function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Bean &amp; Leaf</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Ccircle cx='4' cy='4' r='4' fill='%232f6b3a'/%3E%3C/svg%3E">
<link rel="stylesheet" href="/shop.css">
</head>
<body>${body}</body>
</html>
`
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
