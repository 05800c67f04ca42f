import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Drain } from './create-drain.ts'
import { run } from '../database/statement.ts'
import { PING } from './traffic-queries.ts'

interface Parts {
  db: pg.Pool
  ledger: { readonly hasSilentConnection: boolean }
}

/** /livez: the process is alive. /readyz: it can serve requests; otherwise a load balancer stops sending them. */
export function mountHealth(
  app: FastifyInstance,
  { db, ledger }: Parts,
  { isStopping }: Pick<Drain, 'isStopping'>,
) {
  app.get('/livez', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' })
    if (ledger.hasSilentConnection) {
      return reply.code(503).send({ status: 'a database connection does not respond' })
    }
    try {
      await run(db, PING)
      return { status: 'ok' }
    } catch {
      return reply.code(503).send({ status: 'the database does not respond' })
    }
  })
}
