import type { FastifyInstance } from 'fastify'
import type { Socket } from 'node:net'
import type { Drain } from './create-drain.ts'

/** A proxy sends the request right after it has opened the connection. */
const SILENT_MS = 250

/**
 * When the process stops, Node closes connections that are idle between two requests. Two kinds of connections would
 * stay open until they time out, so they are ended here: those that have not sent a request yet, which browsers open in
 * advance, and those whose request is in progress.
 */
export function endConnections(app: FastifyInstance, { isStopping }: Pick<Drain, 'isStopping'>) {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }: { socket: Socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    setTimeout(() => {
      for (const socket of silent) socket.destroy()
    }, SILENT_MS)
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping()) reply.header('Connection', 'close')
    done(null, payload)
  })
}
