import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'

/**
 * When the process stops, Node closes connections that are idle between two requests. Two kinds of connections would
 * stay open until they time out, so they are ended here: those that have not sent a request yet, which browsers open in
 * advance, and those whose request is in progress.
 */
export function endConnectionsOnClose(app: FastifyInstance) {
  const silent = new Set<Socket>()
  let isClosing = false
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }: { socket: Socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    isClosing = true
    for (const socket of silent) socket.destroy()
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('Connection', 'close')
    done(null, payload)
  })
}
