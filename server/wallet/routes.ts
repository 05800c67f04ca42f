import * as endpoints from '@coffer/contract/server-api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountServerEndpoint } from '../http/route.ts'
import { checkBalance } from './check-balance.ts'
import { debitOrCredit } from './debit-or-credit.ts'
import { findOperation } from './find-operation.ts'
import { readWallet } from './read-wallet.ts'

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
  mountServerEndpoint(app, context, endpoints.findOperation, ({ clientApp, input }) =>
    findOperation(context, clientApp, input),
  )
}
