import * as endpoints from '@coffer/contract/admin/topups'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdminEndpoint } from '../access.ts'
import { recordPeople } from '../record-people.ts'
import { listTopups } from './list-topups.ts'
import { readTopup } from './read-topup.ts'
import { refundTopup } from './refund-topup.ts'

export function mountTopupRoutes(app: FastifyInstance, context: Context) {
  const { db } = context
  mountAdminEndpoint(app, context, endpoints.listTopups, async (call) => {
    const page = await listTopups(context, call.input)
    await recordPeople(
      call,
      db,
      page.topups.map(({ person }) => person),
    )
    return page
  })
  mountAdminEndpoint(app, context, endpoints.readTopup, async (call) => {
    const topup = await readTopup(context, call.input.id)
    await recordPeople(call, db, [topup.person])
    return topup
  })
  mountAdminEndpoint(app, context, endpoints.refundTopup, (call) =>
    refundTopup(context, call, call.input),
  )
}
