import { batch } from '@coffer/contract/server/batch'
import * as holds from '@coffer/contract/server/holds'
import { BATCH_MAX } from '@coffer/contract/limits'
import * as endpoints from '@coffer/contract/server/wallet'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountServerEndpoint, mountServerExport } from '../http/route.ts'
import { captureHold, releaseHold } from './change-hold.ts'
import { checkBalance } from './check-balance.ts'
import { debitOrCredit } from './debit-or-credit.ts'
import { executeBatch } from './execute-batch.ts'
import { exportOperations } from './export-operations.ts'
import { findOperation } from './find-operation.ts'
import { createHoldLister } from './list-holds.ts'
import { createLister, shareListReads } from './list-own-operations.ts'
import { placeHold } from './place-hold.ts'
import { readWallet } from './read-wallet.ts'
import { refundDebit } from './refund-debit.ts'

export function mountWalletRoutes(app: FastifyInstance, context: Context) {
  mountServerEndpoint(app, context, endpoints.readWallet, ({ clientApp, input }) =>
    readWallet(context, clientApp, input),
  )
  mountServerEndpoint(app, context, endpoints.checkBalance, ({ clientApp, input }) =>
    checkBalance(context, clientApp, input),
  )
  mountServerEndpoint(app, context, endpoints.debit, ({ clientApp, input, headers }) =>
    debitOrCredit(context, 'debit', clientApp, input, headers),
  )
  mountServerEndpoint(app, context, endpoints.credit, ({ clientApp, input, headers }) =>
    debitOrCredit(context, 'credit', clientApp, input, headers),
  )
  mountServerEndpoint(app, context, endpoints.refund, ({ clientApp, input, headers }) =>
    refundDebit(context, clientApp, input, headers),
  )
  mountHoldRoutes(app, context)
  mountServerEndpoint(
    app,
    context,
    batch,
    ({ clientApp, input, showError }) =>
      executeBatch(context, clientApp, input.operations, showError),
    countOperations,
  )
  mountListRoutes(app, context)
  mountServerEndpoint(app, context, endpoints.findOperation, ({ clientApp, input }) =>
    findOperation(context, clientApp, input),
  )
}

function mountListRoutes(app: FastifyInstance, context: Context) {
  const shares = shareListReads()
  const list = createLister(context, shares)
  mountServerEndpoint(app, context, endpoints.listOwnOperations, ({ clientApp, input }) =>
    list(clientApp, input),
  )
  mountServerExport(app, context, endpoints.exportOperations, ({ clientApp, input }) =>
    exportOperations(context, shares, clientApp, input.month),
  )
}

function mountHoldRoutes(app: FastifyInstance, context: Context) {
  mountServerEndpoint(app, context, holds.hold, ({ clientApp, input, headers }) =>
    placeHold(context, clientApp, input, headers),
  )
  mountServerEndpoint(app, context, holds.capture, ({ clientApp, input, headers }) =>
    captureHold(context, clientApp, input, headers),
  )
  mountServerEndpoint(app, context, holds.release, ({ clientApp, input, headers }) =>
    releaseHold(context, clientApp, input, headers),
  )
  const list = createHoldLister(context)
  mountServerEndpoint(app, context, holds.listHolds, ({ clientApp, input }) =>
    list(clientApp, input),
  )
}

/** What a batch counts as for the rate limit, before its fields are checked. */
function countOperations({ operations }: Record<string, unknown>): number {
  return Array.isArray(operations) ? Math.min(Math.max(operations.length, 1), BATCH_MAX) : 1
}
