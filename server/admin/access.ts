/** Mounts an admin endpoint. Checks the origin, login, rate limit, role, confirmation and input, in this order. */
import { ROLES, type AdminEndpoint } from '@coffer/contract/admin/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { Database } from '../database/statement.ts'
import { readCall, refuseOtherOrigins, type PageCall } from '../http/page-route.ts'
import { fieldsOf, withDeadline, parseInput } from '../http/read-input.ts'
import { ServiceError } from '../service-error.ts'
import { recordAction, type Action } from './record-action.ts'
import type { LoggedInOperator } from './log-in-queries.ts'
import { COOKIE, requireOperator } from './require-operator.ts'

export interface AdminCall<Input extends z.ZodObject = z.ZodObject> extends PageCall<Input> {
  operator: LoggedInOperator
  /** Writes an audit entry for the operator, in the transaction of the change. */
  record: (db: Database, action: Action) => Promise<void>
}

export function mountAdminEndpoint<Input extends z.ZodObject, Output extends z.ZodObject>(
  app: FastifyInstance,
  context: Context,
  endpoint: AdminEndpoint<Input, Output>,
  handle: (call: AdminCall<Input>) => Promise<z.input<Output>>,
) {
  mountRoute(app, context, endpoint, handle)
}

/** For endpoints that respond with a file. */
export function mountAdminExport<Input extends z.ZodObject>(
  app: FastifyInstance,
  context: Context,
  endpoint: AdminEndpoint<Input>,
  handle: (call: AdminCall<Input>, reply: FastifyReply) => Promise<Readable>,
) {
  mountRoute(app, context, endpoint, (call, reply) => {
    const caller = String(call.operator.operatorId)
    return context.exports.start(caller, reply.raw, () => handle(call, reply))
  })
}

function mountRoute<Input extends z.ZodObject>(
  app: FastifyInstance,
  context: Context,
  endpoint: AdminEndpoint<Input>,
  handle: (call: AdminCall<Input>, reply: FastifyReply) => Promise<unknown>,
) {
  const { config, throttles } = context
  const admitted = new WeakMap<FastifyRequest, LoggedInOperator>()
  async function admit(request: FastifyRequest, reply: FastifyReply) {
    const operator = await requireOperator(context, readCall(request, reply, config).cookie(COOKIE))
    if (!throttles.mayCallAdminApi(String(operator.operatorId)))
      throw new ServiceError('RATE_LIMITED')
    checkRights(endpoint, operator)
    admitted.set(request, operator)
  }
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    // Before the body is read, so that requests without a login cost little.
    onRequest: [refuseOtherOrigins(endpoint, config), admit],
    async handler(request, reply) {
      const operator = admitted.get(request)
      if (operator === undefined) throw new Error('the request was handled without an operator')
      const input = parseInput(endpoint, fieldsOf(request, endpoint))
      const { operatorId: actorId, email: actor } = operator
      const call = readCall(request, reply, config)
      const by = { actor, actorId, address: call.address }
      const record: AdminCall['record'] = (db, action) => recordAction(db, by, action)
      return withDeadline(endpoint, handle({ ...call, input, operator, record }, reply))
    },
  })
}

/** Each role includes the rights of the roles after it. */
function checkRights(
  { role, needsConfirmation }: Pick<AdminEndpoint, 'role' | 'needsConfirmation'>,
  operator: LoggedInOperator,
) {
  if (ROLES.indexOf(operator.role) > ROLES.indexOf(role)) {
    throw new ServiceError('OPERATOR_FORBIDDEN')
  }
  if (needsConfirmation && !operator.isConfirmed) throw new ServiceError('CONFIRMATION_REQUIRED')
}
