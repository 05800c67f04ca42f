import * as endpoints from '@coffer/contract/admin/people'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { sendCsv } from '../../http/csv.ts'
import { mountAdminEndpoint, mountAdminRoute } from '../access.ts'
import { erasePerson } from './erase-person.ts'
import { freezeWallet } from './freeze-wallet.ts'
import { listPeople } from './list-people.ts'
import { exportPersonHistory, nameHistoryFile, readPersonHistory } from './read-person-history.ts'
import { readPerson } from './read-person.ts'

export function mountPeopleRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.listPeople, ({ input }) => listPeople(context, input))
  mountAdminEndpoint(app, context, endpoints.readPerson, ({ input }) =>
    readPerson(context, input.id),
  )
  mountAdminEndpoint(app, context, endpoints.readPersonHistory, ({ input }) =>
    readPersonHistory(context, input),
  )
  mountAdminRoute(app, context, endpoints.exportPersonHistory, async ({ input }, reply) => {
    const lines = await exportPersonHistory(context, input)
    const name = nameHistoryFile(input.id, new Date())
    return sendCsv(reply, name, lines)
  })
  mountAdminEndpoint(app, context, endpoints.freezeWallet, async (call) => {
    await freezeWallet(context, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, endpoints.erasePerson, async (call) => {
    await erasePerson(context, call, call.input)
    return {}
  })
}
