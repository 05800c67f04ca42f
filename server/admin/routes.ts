import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountAuditRoutes } from './audit/routes.ts'
import { mountClientAppRoutes } from './client-apps/routes.ts'
import { mountGrantRoutes } from './grants/routes.ts'
import { mountOperationRoutes } from './operations/routes.ts'
import { mountOperatorRoutes } from './operators/routes.ts'
import { mountOverviewRoutes } from './overview/routes.ts'
import { mountPeopleRoutes } from './people/routes.ts'
import { mountSignInRoutes } from './sign-in/routes.ts'
import { mountSwitchRoutes } from './switches/routes.ts'
import { mountTopupRoutes } from './topups/routes.ts'
import { mountWebhookRoutes } from './webhooks/routes.ts'

/** Mounts nothing if ADMIN_KEYS is not set: without keys for authenticators no operator could log in. */
export function mountAdminRoutes(app: FastifyInstance, context: Context) {
  const { urgentDb: db, passwords, config } = context
  if (config.adminKeys === undefined) return
  const urgent = { ...context, db }
  mountSignInRoutes(app, urgent, { db, passwords, config, keys: config.adminKeys })
  mountOperatorRoutes(app, context)
  mountClientAppRoutes(app, context)
  mountWebhookRoutes(app, context)
  mountPeopleRoutes(app, context)
  mountGrantRoutes(app, context)
  mountOperationRoutes(app, context)
  mountTopupRoutes(app, context)
  mountOverviewRoutes(app, context)
  mountAuditRoutes(app, context)
  mountSwitchRoutes(app, urgent)
}
