import * as automatic from '@coffer/contract/account/automatic-topup'
import * as cards from '@coffer/contract/account/cards'
import * as endpoints from '@coffer/contract/account/topup'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { run } from '../database/statement.ts'
import { mountPageEndpoint, type PageCall } from '../http/page-route.ts'
import { deleteAutomaticTopup, type Person } from '../identity/queries.ts'
import { removeCard, setDefaultCard } from '../topup/cards/change-cards.ts'
import { chooseCard } from '../topup/cards/choose-card.ts'
import { listCards, showCard } from '../topup/cards/list-cards.ts'
import { confirmTopup, joinChecks } from '../topup/confirm.ts'
import { createIntent } from '../topup/create-intent.ts'
import { limitStripeCalls } from '../topup/limit-stripe-calls.ts'
import { readPayerWallet } from '../topup/read-payer-wallet.ts'
import { requireProcessor, type Payer } from '../topup/topup-tools.ts'
import { readAutomaticTopup, setAutomaticTopup } from './automatic-topup.ts'
import type { LoggedIn } from './log-in-queries.ts'

type AdmitWithPassword = (
  call: PageCall<z.ZodObject<{ password: z.ZodString }>>,
) => Promise<{ person: LoggedIn; checked: Person }>
type Admit = (call: Pick<PageCall<z.ZodObject>, 'cookie' | 'language'>) => Promise<LoggedIn>

/**
 * Adding money with the person's own login: the limits are the same as in the widget, and a payment is credited once.
 */
export function mountTopup(app: FastifyInstance, context: Context, admit: Admit) {
  async function admitPayer(call: Parameters<Admit>[0]): Promise<Payer> {
    const { userId, walletId } = await admit(call)
    return { userId, walletId, clientApp: null }
  }
  const limitCalls = ({ userId }: Payer) => limitStripeCalls(context, { userId, clientAppId: null })
  mountPageEndpoint(app, context, endpoints.readTopupWallet, async (call) =>
    readPayerWallet(context, await admitPayer(call)),
  )
  mountPageEndpoint(app, context, endpoints.createOwnIntent, async (call) => {
    const payer = await admitPayer(call)
    const tools = requireProcessor(context)
    const { amount, ...card } = call.input
    if (card.cardId !== undefined || card.saveCard) await limitCalls(payer)
    return createIntent(tools, payer, amount, () => chooseCard(tools, payer.userId, card))
  })
  const checkJoined = joinChecks(() => requireProcessor(context))
  mountPageEndpoint(app, context, endpoints.confirmOwnTopup, async (call) => {
    const payer = await admitPayer(call)
    const tools = { ...requireProcessor(context), checkJoined }
    return confirmTopup(tools, payer, call.input.paymentIntentId)
  })
  mountCards(app, context, async (call) => {
    const payer = await admitPayer(call)
    await limitCalls(payer)
    return payer
  })
}

function mountCards(
  app: FastifyInstance,
  context: Context,
  admit: (call: Parameters<Admit>[0]) => Promise<Payer>,
) {
  mountPageEndpoint(app, context, cards.listCards, async (call) => {
    const { userId } = await admit(call)
    const stored = await listCards(requireProcessor(context), userId)
    return { cards: stored.map(showCard) }
  })
  mountPageEndpoint(app, context, cards.setDefaultCard, async (call) => {
    const { userId } = await admit(call)
    await setDefaultCard(requireProcessor(context), userId, call.input.id)
    return {}
  })
  mountPageEndpoint(app, context, cards.removeCard, async (call) => {
    const { userId } = await admit(call)
    await removeCard(requireProcessor(context), userId, call.input.id)
    return {}
  })
}

export function mountAutomaticTopup(
  app: FastifyInstance,
  context: Context,
  admit: Admit,
  admitWithPassword: AdmitWithPassword,
) {
  mountPageEndpoint(app, context, automatic.readAutomaticTopup, async (call) =>
    readAutomaticTopup(context, (await admit(call)).userId),
  )
  mountPageEndpoint(app, context, automatic.setAutomaticTopup, async (call) => {
    const { person, checked } = await admitWithPassword(call)
    await setAutomaticTopup(context, person, checked, call.input)
    return {}
  })
  mountPageEndpoint(app, context, automatic.endAutomaticTopup, async (call) => {
    const { userId } = await admit(call)
    await run(context.db, deleteAutomaticTopup(userId))
    return {}
  })
}
