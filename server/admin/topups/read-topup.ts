import type { readTopup as endpoint } from '@coffer/contract/admin/topups'
import { findCurrency, toWireNumber, type Currency } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
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
  type DisputeRow,
  type FeeRow,
  type RefundRow,
  type TopupRow,
} from './queries.ts'

type Tools = Pick<Context, 'db' | 'ledger' | 'config'>
type ShownTopup = z.output<typeof endpoint.answer>

export async function readTopup(tools: Tools, id: string): Promise<ShownTopup> {
  const { db, ledger, config } = tools
  const { currency } = config
  const [row] = (await db.query<TopupRow>(findTopup(id))).rows
  if (row === undefined) throw new ServiceError('NOT_FOUND')
  const [credited, refunds, disputes, fees, wallet] = await Promise.all([
    readCredit(tools, row),
    db.query<RefundRow>(listRefunds(id)),
    db.query<DisputeRow>(listDisputes(id)),
    db.query<FeeRow>(listFees(id)),
    ledger.readWallet(row.wallet_id),
  ])
  assert(wallet, 'a top-up has a wallet')
  const toMoney = (minor: bigint) => toWireNumber(minor, currency)
  return {
    ...showTopup(row, currency),
    currency: currency.code,
    settledAt: row.settled_at?.toISOString() ?? null,
    settledBy: row.settled_by,
    nextCheckAt: row.status === 'open' ? row.next_check_at.toISOString() : null,
    refusal: credited.refusal,
    debtPaid: toMoney(-credited.debtChange),
    refundable: toMoney(refundableOf(row)),
    wallet: {
      balance: toMoney(wallet.balance),
      debt: toMoney(wallet.debt),
      isActive: wallet.isActive,
    },
    fees: fees.rows.map(showFee),
    refunds: refunds.rows.map((refund) => showRefund(refund, currency)),
    disputes: await Promise.all(disputes.rows.map((dispute) => showDispute(tools, dispute))),
  }
}

export function refundableOf({ status, amount, refunded }: TopupRow): bigint {
  return status === 'credited' && amount > refunded ? amount - refunded : 0n
}

/** What the ledger made of it, if it was paid. */
async function readCredit(tools: Tools, { intent_id: intentId, status }: TopupRow) {
  const none = { refusal: null, debtChange: 0n }
  if (intentId === null || status === 'ended') return none
  const decision = await tools.ledger.findServiceDecision('TOPUP', intentId)
  if (decision === undefined) return none
  if (decision.refusal !== null) return { refusal: decision.refusal, debtChange: 0n }
  const operation = await readOperation(tools, decision)
  return { refusal: null, debtChange: operation?.debtChange ?? 0n }
}

function showRefund(row: RefundRow, currency: Currency): ShownTopup['refunds'][number] {
  return {
    id: row.id,
    processorId: row.stripe_id,
    state: row.status,
    amount: toWireNumber(row.amount, currency),
    reason: row.reason,
    isForeign: row.is_foreign,
    createdAt: row.created_at.toISOString(),
    nextCheckAt: row.status === 'reserved' ? row.next_check_at.toISOString() : null,
  }
}

/** The processor's ids begin with what they name: a charge, a refund, a dispute. */
function showFee({ source, amount, currency }: FeeRow): ShownTopup['fees'][number] {
  const of = source.startsWith('re_') ? 'refund' : /^d[pu]_/.test(source) ? 'dispute' : 'payment'
  const settled = findCurrency(currency) ?? { code: currency, exponent: 2 }
  const minor = fromStripeAmount(Number(amount), settled)
  return { of, amount: toWireNumber(minor, settled), currency }
}

async function showDispute(tools: Tools, row: DisputeRow): Promise<ShownTopup['disputes'][number]> {
  const { currency } = tools.config
  const read = async (referenceType: string, ids: string[]) => {
    const found = await Promise.all(ids.map((id) => findServiceOperation(tools, referenceType, id)))
    return found.flatMap((operation) => (operation ? [showMovement(operation, currency)] : []))
  }
  const [withdrawn, reinstated] = await Promise.all([
    read('DISPUTE', row.withdrawals),
    read('DISPUTE_REINSTATED', row.reinstatements),
  ])
  return {
    id: row.id,
    status: row.status,
    reason: row.reason,
    amount: toWireNumber(row.amount, currency),
    openedAt: row.opened_at.toISOString(),
    respondBy: row.respond_by?.toISOString() ?? null,
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
