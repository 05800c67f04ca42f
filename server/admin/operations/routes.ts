import * as endpoints from '@coffer/contract/admin/operations'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdminEndpoint } from '../access.ts'
import { recordPeople } from '../record-people.ts'
import { listOperations } from './list-operations.ts'
import { lookUpOperation } from './look-up-operation.ts'

export function mountOperationRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.lookUpOperation, async (call) => {
    const found = await lookUpOperation(context, call.input)
    const people = [found.decision?.person ?? null, ...found.attempts.map(({ person }) => person)]
    await recordPeople(call, context.db, people)
    return found
  })
  mountAdminEndpoint(app, context, endpoints.listOperations, async (call) => {
    const page = await listOperations(context, call.input)
    await recordPeople(
      call,
      context.db,
      page.operations.map(({ person }) => person),
    )
    return page
  })
}
