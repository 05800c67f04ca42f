import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'

/**
 * Browsers open connections on which they ask nothing yet. Node closes what is idle between two requests, but would
 * wait for those until they time out; nobody is owed an answer there.
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
