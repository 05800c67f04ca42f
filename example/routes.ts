/** The actions of a logged-in user. A returned string is the notice that the page shows. */
import type { Coffer } from '@coffer/sdk'
import type { OpenPages } from './open-pages.ts'
import { payOrder } from './pay-order.ts'
import { findProduct } from './products.ts'
import { refundOrder, refundPart } from './refund-order.ts'
import { cancelOrder, collectOrder, reserveOrder } from './reserve-order.ts'
import { createSession, saveLink, startLink, type Visitor } from './show-wallet.ts'
import type { Order, Store } from './store.ts'

export interface Call extends Visitor {
  body: Record<string, string>
}

export interface Tools {
  coffer: Coffer
  store: Store
  pages: OpenPages
  /** Of the shop's own pages. */
  origin: string
}

export function createRoutes(tools: Tools): Record<string, (call: Call) => unknown> {
  const { store } = tools

  function withOrder<Result>({ user, body }: Call, act: (order: Order) => Promise<Result>) {
    const order = store.findOrder(user, body['order'] ?? '')
    return order && act(order)
  }

  return {
    '/log-out': ({ token }) => store.logOut(token),
    '/orders': ({ user, body }) => {
      const product = findProduct(body['product'])
      if (product) store.addOrder(user, product.name, product.price)
    },
    '/pay': (call) => withOrder(call, (order) => payOrder(tools, call.user, order)),
    '/refund': (call) => withOrder(call, (order) => refundOrder(tools, order)),
    '/refund-part': (call) => withOrder(call, (order) => refundPart(tools, order)),
    '/reserve': (call) => withOrder(call, (order) => reserveOrder(tools, call.user, order)),
    '/collect': (call) => withOrder(call, (order) => collectOrder(tools, order)),
    '/cancel': (call) => withOrder(call, (order) => cancelOrder(tools, order)),
    '/wallet/session': (call) => createSession(tools, call),
    '/wallet/link': async (call) => {
      await saveLink(tools, call, call.body['linkCode'] ?? '')
      return {}
    },
    '/wallet/unlink': ({ user, token }) => {
      store.removeLink(user)
      return startLink(tools, token)
    },
  }
}
