import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** /livez: the process turns. /readyz: it can serve; a load balancer stops sending when it cannot. */
export function mountHealth(app: FastifyInstance, db: pg.Pool, isStopping: () => boolean) {
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await db.query('')
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' })
    }
  })
}
