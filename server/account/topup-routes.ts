import * as endpoints from '@coffer/contract/account-topup-api'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { mountPageEndpoint, type PageCall } from '../http/page-route.ts'
import { confirmTopup, joinSettles } from '../topup/confirm.ts'
import { createIntent } from '../topup/create-intent.ts'
import { readPayerWallet } from '../topup/read-payer-wallet.ts'
import { requireProcessor, type Payer } from '../topup/topup-tools.ts'
import type { LoggedIn } from './log-in-queries.ts'

type Admit = (call: Pick<PageCall<z.ZodObject>, 'cookie' | 'language'>) => Promise<LoggedIn>

/** Adding money with the person's own login: the limits and the single credit are those of the widget's top-up. */
export function mountTopup(app: FastifyInstance, context: Context, admit: Admit) {
  async function admitPayer(call: Parameters<Admit>[0]): Promise<Payer> {
    const { userId, walletId } = await admit(call)
    return { userId, walletId, clientApp: null }
  }
  mountPageEndpoint(app, context, endpoints.readTopupWallet, async (call) =>
    readPayerWallet(context, await admitPayer(call)),
  )
  mountPageEndpoint(app, context, endpoints.createOwnIntent, async (call) => {
    const payer = await admitPayer(call)
    return createIntent(requireProcessor(context), payer, call.input.amount)
  })
  const settleJoined = joinSettles(() => requireProcessor(context))
  mountPageEndpoint(app, context, endpoints.confirmOwnTopup, async (call) => {
    const payer = await admitPayer(call)
    const tools = { ...requireProcessor(context), settleJoined }
    return confirmTopup(tools, payer, call.input.paymentIntentId)
  })
}
