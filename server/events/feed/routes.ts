import { readEvents } from '@coffer/contract/server/events'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountServerEndpoint } from '../../http/route.ts'
import { createFeed } from './read-feed.ts'

export function mountEventRoutes(app: FastifyInstance, context: Context) {
  const feed = createFeed(context)
  mountServerEndpoint(app, context, readEvents, (call) => feed.read(call))
  // Waiting requests must not keep a process running that stops.
  app.addHook('preClose', (done) => {
    feed.end()
    done()
  })
}
