import * as auditEndpoints from '@coffer/contract/admin/audit'
import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import * as operatorsEndpoints from '@coffer/contract/admin/operators'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountPageEndpoint } from '../http/page-route.ts'
import { mountAdminEndpoint, mountAdminRoute } from './access.ts'
import { activate, revoke, rotate } from './client-apps/change-access.ts'
import { changeClientApp } from './client-apps/change-client-app.ts'
import { changeOperator } from './operators/change-operator.ts'
import { confirmOperator } from './sign-in/confirm-operator.ts'
import { createClientApp } from './client-apps/create-client-app.ts'
import { createOperator } from './operators/create-operator.ts'
import { endLogIn } from './sign-in/end-log-in.ts'
import { exportAudit, nameAuditFile } from './audit/export-audit.ts'
import { finishLogIn } from './sign-in/finish-log-in.ts'
import { listClientApps } from './client-apps/list-client-apps.ts'
import { listOperators } from './operators/list-operators.ts'
import { logIn, type LogInTools } from './sign-in/log-in.ts'
import { mountMoneyRoutes } from './grants/routes.ts'
import { mountOperationRoutes } from './operations/routes.ts'
import { mountOverviewRoutes } from './overview/routes.ts'
import { passDoor } from './sign-in/throttle-log-in.ts'
import { mountPeopleRoutes } from './people/routes.ts'
import { readAudit } from './audit/read-audit.ts'
import { readClientApp } from './client-apps/read-client-app.ts'
import { readMe } from './sign-in/read-sign-in.ts'
import { COOKIE } from './require-operator.ts'
import { mountSelfRoutes } from './sign-in/routes.ts'
import { mountSwitchRoutes } from './switches/routes.ts'
import { mountAdminTopupRoutes } from './topups/routes.ts'

/** Without keys for authenticators nobody could log in, so nothing is mounted. */
export function mountAdminRoutes(app: FastifyInstance, context: Context) {
  const { db, passwords, config } = context
  if (config.adminKeys === undefined) return
  const tools = { db, passwords, keys: config.adminKeys }
  mountDoor(app, context, tools)
  mountOwnLogIn(app, context, tools)
  mountSelfRoutes(app, context, tools)
  mountOperators(app, context)
  mountClientApps(app, context)
  mountAccess(app, context)
  mountPeopleRoutes(app, context)
  mountMoneyRoutes(app, context)
  mountOperationRoutes(app, context)
  mountAdminTopupRoutes(app, context)
  mountOverviewRoutes(app, context)
  mountAudit(app, context)
  mountSwitchRoutes(app, context)
}

function mountDoor(app: FastifyInstance, context: Context, tools: LogInTools) {
  mountPageEndpoint(app, context, signInEndpoints.logInToAdmin, async ({ input, address }) => {
    passDoor(context, address)
    return logIn(tools, input)
  })
  mountPageEndpoint(app, context, signInEndpoints.finishAdminLogIn, async (call) => {
    passDoor(context, call.address)
    const { cookie, recoveryCodes } = await finishLogIn(tools, call.input, call)
    call.setCookie(COOKIE, cookie)
    return { recoveryCodes }
  })
}

function mountOwnLogIn(app: FastifyInstance, context: Context, tools: LogInTools) {
  mountAdminEndpoint(app, context, signInEndpoints.logOutOfAdmin, async (call) => {
    await endLogIn(context, call)
    call.setCookie(COOKIE, null)
    return {}
  })
  mountAdminEndpoint(app, context, signInEndpoints.confirmOperator, async (call) => {
    passDoor(context, call.address)
    await confirmOperator(tools, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, signInEndpoints.readOperator, ({ operator }) =>
    readMe(context.db, operator),
  )
}

function mountOperators(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, operatorsEndpoints.listOperators, async () => ({
    operators: await listOperators(context.db),
  }))
  mountAdminEndpoint(app, context, operatorsEndpoints.createOperator, async (call) => {
    const { email: actor, operatorId: actorId } = call.operator
    const by = { actor, actorId, address: call.address }
    const { id, password } = await createOperator(context, by, call.input)
    return { id: String(id), password }
  })
  mountAdminEndpoint(app, context, operatorsEndpoints.changeOperator, async (call) => {
    await changeOperator(context, call, call.input)
    return {}
  })
}

function mountClientApps(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, clientAppsEndpoints.listClientApps, ({ input }) =>
    listClientApps(context.db, input),
  )
  mountAdminEndpoint(app, context, clientAppsEndpoints.readClientApp, ({ input }) =>
    readClientApp(context, input.clientId),
  )
  mountAdminEndpoint(app, context, clientAppsEndpoints.createClientApp, (call) =>
    createClientApp(context, call, call.input),
  )
  mountAdminEndpoint(app, context, clientAppsEndpoints.changeClientApp, (call) =>
    changeClientApp(context, call, call.input),
  )
}

function mountAccess(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, clientAppsEndpoints.activateClientApp, async (call) => {
    await activate(context, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, clientAppsEndpoints.rotateClientSecret, async (call) => ({
    clientSecret: await rotate(context, call, call.input),
  }))
  mountAdminEndpoint(app, context, clientAppsEndpoints.revokeClientSecret, async (call) => {
    await revoke(context, call, call.input)
    return {}
  })
}

function mountAudit(app: FastifyInstance, context: Context) {
  const { db } = context
  mountAdminEndpoint(app, context, auditEndpoints.readAudit, ({ input }) => readAudit(db, input))
  mountAdminRoute(app, context, auditEndpoints.exportAudit, async ({ input }, reply) => {
    const lines = await exportAudit(db, input)
    reply.header('Content-Type', 'text/csv; charset=utf-8')
    reply.header('Content-Disposition', `attachment; filename="${nameAuditFile(new Date())}"`)
    return lines
  })
}
