import * as alerts from '@coffer/contract/admin/client-app-alerts'
import * as events from '@coffer/contract/admin/client-app-events'
import * as statements from '@coffer/contract/admin/client-app-statements'
import * as endpoints from '@coffer/contract/admin/client-apps'
import { collectClientSecret as collectEndpoint } from '@coffer/contract/client-secret'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { one } from '../../database/statement.ts'
import { listEvents } from '../../events/feed/list-events.ts'
import { sendCsv } from '../../http/csv.ts'
import { mountPageEndpoint } from '../../http/page-route.ts'
import { ServiceError } from '../../service-error.ts'
import { mountAdminEndpoint, mountAdminExport } from '../access.ts'
import { activateClientApp } from './activate-client-app.ts'
import { changeClientApp } from './change-client-app.ts'
import { createClientApp } from './create-client-app.ts'
import { exportStatement, nameStatementFile } from './export-statement.ts'
import { collectClientSecret } from './collect-client-secret.ts'
import { listClientApps } from './list-client-apps.ts'
import { findApp } from './queries.ts'
import { readClientApp } from './read-client-app.ts'
import { readStatement } from './read-statement.ts'
import { replaceClientSecret } from './replace-client-secret.ts'
import { revokeClientSecret } from './revoke-client-secret.ts'
import { rotateClientSecret } from './rotate-client-secret.ts'
import { setDebitAlert } from './set-debit-alert.ts'

export function mountClientAppRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.listClientApps, ({ input }) =>
    listClientApps(context.db, input),
  )
  mountAdminEndpoint(app, context, endpoints.readClientApp, ({ input }) =>
    readClientApp(context, input.clientId),
  )
  mountAdminEndpoint(app, context, endpoints.createClientApp, (call) =>
    createClientApp(context, call, call.input),
  )
  mountAdminEndpoint(app, context, endpoints.changeClientApp, (call) =>
    changeClientApp(context, call, call.input),
  )
  mountAdminEndpoint(app, context, alerts.setDebitAlert, async (call) => {
    await setDebitAlert(context, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, events.listAppEvents, async ({ input }) => {
    const { clientId, ...search } = input
    const found = await one(context.operatorDb, findApp(clientId))
    if (found === undefined) throw new ServiceError('NOT_FOUND')
    const { type, cursor } = search
    return listEvents(context.operatorDb, context, { app: found, type, cursor })
  })
  mountAccess(app, context)
  mountStatement(app, context)
}

function mountAccess(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.activateClientApp, async (call) => {
    await activateClientApp(context, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, endpoints.rotateClientSecret, (call) =>
    rotateClientSecret(context, call, call.input),
  )
  mountAdminEndpoint(app, context, endpoints.replaceClientSecret, (call) =>
    replaceClientSecret(context, call, call.input),
  )
  mountPageEndpoint(app, context, collectEndpoint, async ({ input, address, network }) => {
    const isAllowed = await context.throttles.mayLogIn(network)
    if (!isAllowed) throw new ServiceError('RATE_LIMITED', undefined, 60)
    return collectClientSecret(context, address, input)
  })
  mountAdminEndpoint(app, context, endpoints.revokeClientSecret, async (call) => {
    await revokeClientSecret(context, call, call.input)
    return {}
  })
}

function mountStatement(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, statements.readStatement, ({ input }) =>
    readStatement(context, input),
  )
  mountAdminExport(app, context, statements.exportStatement, async ({ input }, reply) => {
    const lines = await exportStatement(context, input)
    return sendCsv(reply, nameStatementFile(input), lines)
  })
}
