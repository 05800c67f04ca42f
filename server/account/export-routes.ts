import { exportHistory as historyEndpoint } from '@coffer/contract/account/account'
import { exportAccount as accountEndpoint } from '@coffer/contract/account/safety'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { sendCsv } from '../http/csv.ts'
import { readCall, refuseOtherOrigins, type PageCall } from '../http/page-route.ts'
import { withDeadline, parseInput } from '../http/read-input.ts'
import { exportAccount, nameDataFile } from './export-account.ts'
import { exportHistory, nameFile } from './export-history.ts'
import type { LoggedIn } from './log-in-queries.ts'

type Admit = (call: Pick<PageCall<z.ZodObject>, 'cookie' | 'language'>) => Promise<LoggedIn>

interface Download<Input extends z.ZodObject> {
  open: (person: LoggedIn, input: z.output<Input>) => Promise<Readable>
  send: (reply: FastifyReply, content: Readable) => Readable
}

/** The responses that are files; they are streams, so the deadline covers only their start. */
export function mountExports(app: FastifyInstance, context: Context, admit: Admit) {
  mountDownload(app, context, admit, historyEndpoint, {
    open: (person, filter) => exportHistory(context, person, filter),
    send: (reply, lines) => sendCsv(reply, nameFile(new Date()), lines),
  })
  mountDownload(app, context, admit, accountEndpoint, {
    open: (person) => exportAccount(context, person),
    send(reply, content) {
      reply.header('Content-Type', 'application/json; charset=utf-8')
      reply.header('Content-Disposition', `attachment; filename="${nameDataFile(new Date())}"`)
      return content
    },
  })
}

function mountDownload<Input extends z.ZodObject>(
  app: FastifyInstance,
  context: Context,
  admit: Admit,
  endpoint: Endpoint<Input>,
  { open, send }: Download<Input>,
) {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    onRequest: refuseOtherOrigins(endpoint, context.config),
    async handler(request, reply) {
      const input = parseInput(endpoint, request.query as Record<string, unknown>)
      const person = await admit(readCall(request, reply, context.config))
      const caller = String(person.userId)
      const started = context.exports.start(caller, reply.raw, () => open(person, input))
      return send(reply, await withDeadline(endpoint, started))
    },
  })
}
