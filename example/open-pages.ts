/** The pages that are open in browsers. They wait for changes with an EventSource. */
import type { ServerResponse } from 'node:http'
import type { User } from './store.ts'

export interface Change {
  /** Otherwise the page shows the login of the wallet. */
  isLinked: boolean
  text: string
}

export const UNLINKED: Change = {
  isLinked: false,
  text: 'Your wallet is no longer linked to this shop.',
}

export type OpenPages = ReturnType<typeof trackOpenPages>

export function trackOpenPages() {
  const open = new Map<ServerResponse, User['id']>()
  return {
    add(user: User, response: ServerResponse) {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
      response.flushHeaders()
      open.set(response, user.id)
      response.once('close', () => open.delete(response))
    },

    show(users: User[], change: Change) {
      const ids = new Set(users.map(({ id }) => id))
      for (const [response, id] of open) {
        if (ids.has(id)) response.write(`data: ${JSON.stringify(change)}\n\n`)
      }
    },
  }
}
