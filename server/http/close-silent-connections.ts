import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'

/**
 * Browsers open connections in advance, without a request. On shutdown, Node closes connections that are idle between
 * two requests, but waits for these until they time out; so they are closed here.
 */
export function closeSilentConnections(app: FastifyInstance) {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }: { socket: Socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    for (const socket of silent) socket.destroy()
    done()
  })
}
