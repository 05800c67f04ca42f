import * as endpoints from '@coffer/contract/admin/operators'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { asKnown } from '../../identity/recognize-device.ts'
import { mountAdminEndpoint } from '../access.ts'
import { changeOperator } from './change-operator.ts'
import { createOperator } from './create-operator.ts'
import { listOperators } from './list-operators.ts'

export function mountOperatorRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.listOperators, async () => ({
    operators: await listOperators(context.db),
  }))
  mountAdminEndpoint(app, context, endpoints.createOperator, async (call) => {
    const { email: actor, operatorId: actorId, logInId } = call.operator
    const by = { actor, actorId, address: call.address }
    const caller = asKnown(call.network, logInId, actor)
    const { id, password } = await createOperator(context, by, call.input, caller)
    return { id: String(id), password }
  })
  mountAdminEndpoint(app, context, endpoints.changeOperator, async (call) => {
    await changeOperator(context, call, call.input)
    return {}
  })
}
