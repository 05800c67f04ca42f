import * as endpoints from '@coffer/contract/admin/people'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { sendCsv } from '../../http/csv.ts'
import { mountAdminEndpoint, mountAdminExport } from '../access.ts'
import { personSubject } from '../record-people.ts'
import { allowHold } from './allow-hold.ts'
import { erasePerson } from './erase-person.ts'
import { freezeWallet } from './freeze-wallet.ts'
import { listPeople } from './list-people.ts'
import { exportPersonHistory, nameHistoryFile, readPersonHistory } from './read-person-history.ts'
import { readPerson } from './read-person.ts'

/**
 * Every read of personal data is in the audit log before the operator gets it. The search text is not: it may contain
 * personal data, and audit entries cannot be removed.
 */
function mountReads(app: FastifyInstance, context: Context) {
  const { db } = context
  mountAdminEndpoint(app, context, endpoints.listPeople, async ({ input, record }) => {
    const page = await listPeople(context, input)
    await record(db, { action: 'person.list', after: { people: page.people.length } })
    return page
  })
  mountAdminEndpoint(app, context, endpoints.readPerson, async ({ input, record }) => {
    const person = await readPerson(context, input.id)
    await record(db, { action: 'person.read', subject: personSubject(BigInt(input.id)) })
    return person
  })
  mountAdminEndpoint(app, context, endpoints.readPersonHistory, async ({ input, record }) => {
    const history = await readPersonHistory(context, input)
    await record(db, { action: 'person.read_history', subject: personSubject(BigInt(input.id)) })
    return history
  })
  mountAdminExport(app, context, endpoints.exportPersonHistory, async (call, reply) => {
    const { input, record } = call
    const lines = await exportPersonHistory(context, input)
    await record(db, { action: 'person.export_history', subject: personSubject(BigInt(input.id)) })
    const name = nameHistoryFile(input.id, new Date())
    return sendCsv(reply, name, lines)
  })
}

export function mountPeopleRoutes(app: FastifyInstance, context: Context) {
  mountReads(app, context)
  mountAdminEndpoint(app, context, endpoints.freezeWallet, async (call) => {
    await freezeWallet(context, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, endpoints.allowHold, async (call) => {
    await allowHold(context, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, endpoints.erasePerson, async (call) => {
    await erasePerson(context, call, call.input)
    return {}
  })
}
