import type { readTopup as endpoint } from '@coffer/contract/admin/topups'
import { findCurrency, toWireNumber, type Currency } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { many, one } from '../../database/statement.ts'
import type { Operation } from '../../ledger/types.ts'
import { fromStripeAmount } from '../../processor/stripe.ts'
import { ServiceError } from '../../service-error.ts'
import { showTopup } from './list-topups.ts'
import { findServiceOperation, readOperation } from '../read-operation.ts'
import {
  findTopup,
  listDisputes,
  listFees,
  listRefunds,
  type Dispute,
  type Fee,
  type Refund,
  type Topup,
} from './queries.ts'

type Tools = Pick<Context, 'db' | 'ledger' | 'config'>
type ShownTopup = z.output<typeof endpoint.response>

export async function readTopup(tools: Tools, id: string): Promise<ShownTopup> {
  const { db, ledger, config } = tools
  const { currency } = config
  const topup = await one(db, findTopup(id))
  if (topup === undefined) throw new ServiceError('NOT_FOUND')
  const [credited, refunds, disputes, fees, wallet] = await Promise.all([
    readCredit(tools, topup),
    many(db, listRefunds(id)),
    many(db, listDisputes(id)),
    many(db, listFees(id)),
    ledger.readWallet(topup.walletId),
  ])
  assert(wallet, 'a top-up has a wallet')
  const toMoney = (minor: bigint) => toWireNumber(minor, currency)
  return {
    ...showTopup(topup, currency),
    currency: currency.code,
    endedAt: topup.endedAt?.toISOString() ?? null,
    reportedBy: topup.reportedBy,
    nextCheckAt: topup.status === 'open' ? topup.nextCheckAt.toISOString() : null,
    refusal: credited.refusal,
    debtPaid: toMoney(-credited.debtChange),
    refundable: toMoney(refundableOf(topup)),
    wallet: {
      balance: toMoney(wallet.balance),
      debt: toMoney(wallet.debt),
      isActive: wallet.isActive,
    },
    fees: fees.map(showFee),
    refunds: refunds.map((refund) => showRefund(refund, currency)),
    disputes: await Promise.all(disputes.map((dispute) => showDispute(tools, dispute))),
  }
}

export function refundableOf({ status, amount, refunded }: Topup): bigint {
  return status === 'credited' && amount > refunded ? amount - refunded : 0n
}

/** The ledger's decision on the payment, if there was one. */
async function readCredit(tools: Tools, { intentId, status }: Topup) {
  const none = { refusal: null, debtChange: 0n }
  if (intentId === null || status === 'ended') return none
  const decision = await tools.ledger.findServiceDecision('TOPUP', intentId)
  if (decision === undefined) return none
  if (decision.refusal !== null) return { refusal: decision.refusal, debtChange: 0n }
  const operation = await readOperation(tools, decision)
  return { refusal: null, debtChange: operation?.debtChange ?? 0n }
}

function showRefund(refund: Refund, currency: Currency): ShownTopup['refunds'][number] {
  const { id, processorId, status, reason, isMadeAtProcessor } = refund
  return {
    id,
    processorId,
    state: status,
    amount: toWireNumber(refund.amount, currency),
    reason,
    isMadeAtProcessor,
    createdAt: refund.createdAt.toISOString(),
    nextCheckAt: status === 'reserved' ? refund.nextCheckAt.toISOString() : null,
  }
}

/** The prefix of a processor id is its kind: a charge, a refund or a dispute. */
function showFee({ source, amount, currency }: Fee): ShownTopup['fees'][number] {
  const of = source.startsWith('re_') ? 'refund' : /^d[pu]_/.test(source) ? 'dispute' : 'payment'
  const shown = findCurrency(currency) ?? { code: currency, exponent: 2 }
  const minor = fromStripeAmount(Number(amount), shown)
  return { of, amount: toWireNumber(minor, shown), currency }
}

async function showDispute(
  tools: Tools,
  dispute: Dispute,
): Promise<ShownTopup['disputes'][number]> {
  const { currency } = tools.config
  const read = async (referenceType: string, ids: string[]) => {
    const found = await Promise.all(ids.map((id) => findServiceOperation(tools, referenceType, id)))
    return found.flatMap((operation) => (operation ? [showMovement(operation, currency)] : []))
  }
  const [withdrawn, reinstated] = await Promise.all([
    read('DISPUTE', dispute.withdrawals),
    read('DISPUTE_REINSTATED', dispute.reinstatements),
  ])
  return {
    id: dispute.id,
    status: dispute.status,
    reason: dispute.reason,
    amount: toWireNumber(dispute.amount, currency),
    openedAt: dispute.openedAt.toISOString(),
    respondBy: dispute.respondBy?.toISOString() ?? null,
    withdrawn,
    reinstated,
  }
}

function showMovement({ createdAtMs, amount, debtChange }: Operation, currency: Currency) {
  return {
    at: new Date(createdAtMs).toISOString(),
    balance: toWireNumber(amount, currency),
    debt: toWireNumber(debtChange, currency),
  }
}
