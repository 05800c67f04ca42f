import * as endpoints from '@coffer/contract/admin/grants'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdminEndpoint } from '../access.ts'
import { approveGrant } from './approve-grant.ts'
import { declineGrant } from './decline-grant.ts'
import { recordPeople } from '../record-people.ts'
import { listGrants } from './list-grants.ts'
import { proposeGrant } from './propose-grant.ts'
import { releaseHold } from './release-hold.ts'

export function mountGrantRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.proposeGrant, (call) =>
    proposeGrant(context, call, call.input),
  )
  mountAdminEndpoint(app, context, endpoints.releaseHold, (call) =>
    releaseHold(context, call, call.input),
  )
  mountAdminEndpoint(app, context, endpoints.listGrants, async (call) => {
    const page = await listGrants(context, call, call.input)
    await recordPeople(
      call,
      context.db,
      page.grants.map(({ person }) => person),
    )
    return page
  })
  mountAdminEndpoint(app, context, endpoints.approveGrant, (call) =>
    approveGrant(context, call, call.input),
  )
  mountAdminEndpoint(app, context, endpoints.declineGrant, async (call) => {
    await declineGrant(context, call, call.input)
    return {}
  })
}
