import * as endpoints from '@coffer/contract/admin/switches'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mountAdminEndpoint } from '../access.ts'
import { showPause } from '../app-pause-queries.ts'
import { pauseClientApp } from './pause-client-app.ts'
import { pauseWrites } from './pause-writes.ts'
import { readKeys } from './read-keys.ts'

export function mountSwitchRoutes(app: FastifyInstance, context: Context) {
  mountAdminEndpoint(app, context, endpoints.readSwitches, async () => ({
    pause: showPause(await context.ledger.readPause()),
  }))
  mountAdminEndpoint(app, context, endpoints.pauseWrites, async (call) => {
    await pauseWrites(context, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, endpoints.pauseClientApp, async (call) => {
    await pauseClientApp(context, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, endpoints.readKeys, () => readKeys(context))
}
