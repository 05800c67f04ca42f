/**
 * Decides a batch: a pure function of the wallets' states, earlier decisions and the requests in order. It does no I/O
 * and reads no clock, so property tests run it millions of times.
 */
import assert from 'node:assert/strict'
import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import { hashOperation } from './digest.ts'
import type {
  Allowance,
  Decision,
  Kind,
  LedgerQuestion,
  LedgerRequest,
  MismatchField,
  Operation,
  Outcome,
  Refusal,
  WalletState,
} from './types.ts'

export interface DigestedRequest extends LedgerRequest {
  scope: number
  digest: string
}

export interface Mismatch {
  digest: string
  walletId: bigint | null
  kind: Kind
  amountMinor: bigint
  differs: readonly MismatchField[]
}

/** How much of a debit is refunded after a refund. */
export interface RefundTotal {
  debit: string
  refund: string
  walletId: bigint
  debited: bigint
  refunded: bigint
}

export interface BatchInput {
  /** The states of the locked wallets. */
  wallets: ReadonlyMap<bigint, WalletState>
  /** Earlier decisions, by digest. */
  decided: ReadonlyMap<string, Decision>
  /** The locked allowances of client apps with a credit limit. */
  allowances: ReadonlyMap<number, Allowance | undefined>
  /** How much of a debit is refunded, by the digest of the debit; no entry if nothing is. */
  refunded?: ReadonlyMap<string, bigint>
  requests: readonly DigestedRequest[]
  nowMs: number
}

export interface BatchOutput {
  /** One per request, in the same order. */
  outcomes: Outcome[]
  /** New decisions and operations to write. */
  decisions: Decision[]
  operations: Operation[]
  /** The new states of the wallets that changed. */
  wallets: Map<bigint, WalletState>
  /** One for each refund that was posted. */
  refunds: RefundTotal[]
  /** The amount that the batch adds to each counter account. */
  settlements: Map<number, bigint>
  mismatches: Mismatch[]
}

export function decide(input: BatchInput): BatchOutput {
  const output: BatchOutput = {
    outcomes: [],
    decisions: [],
    operations: [],
    wallets: new Map(),
    refunds: [],
    settlements: new Map(),
    mismatches: [],
  }
  const fresh = new Map<string, Decision>()
  for (const request of input.requests) {
    const earlier = input.decided.get(request.digest) ?? fresh.get(request.digest)
    if (earlier === undefined) {
      const decision = decideOne(request, input, output, fresh)
      fresh.set(request.digest, decision)
      output.decisions.push(decision)
      output.outcomes.push({ decision, replayed: false, mismatch: [] })
    } else {
      const outcome = replay(earlier, request)
      if (outcome.mismatch.length > 0) output.mismatches.push(recordMismatch(request, outcome))
      output.outcomes.push(outcome)
    }
  }
  return output
}

export function replay(decision: Decision, asked: LedgerQuestion): Outcome {
  const mismatch: MismatchField[] = []
  if (hasOtherAmount(decision, asked)) mismatch.push('amount')
  // The debit of a refund determines the wallet.
  if (decision.refund && asked.refund) {
    if (decision.refund.target !== asked.refund.target) mismatch.push('debit')
  } else if (asked.walletId !== decision.walletId) mismatch.push('serviceUserId')
  if (asked.kind !== decision.kind) mismatch.push('direction')
  return { decision, replayed: true, mismatch }
}

/** A refund without an amount is the same request as another one without. */
function hasOtherAmount(decision: Decision, asked: LedgerQuestion): boolean {
  const wasOmitted = decision.refund?.isAmountOmitted === true
  const isOmitted = asked.refund?.isAmountOmitted === true
  if (wasOmitted || isOmitted) return wasOmitted !== isOmitted
  return asked.amountMinor !== decision.amountMinor
}

export function recordMismatch(
  asked: LedgerQuestion & { digest: string },
  { mismatch }: Outcome,
): Mismatch {
  const { digest, walletId, kind, amountMinor } = asked
  return { digest, walletId, kind, amountMinor, differs: mismatch }
}

function decideOne(
  request: DigestedRequest,
  input: BatchInput,
  output: BatchOutput,
  fresh: ReadonlyMap<string, Decision>,
): Decision {
  const { walletId, kind, counterAccount, digest } = request
  const wallet = output.wallets.get(walletId) ?? input.wallets.get(walletId)
  assert(wallet !== undefined, 'a batch decides only on wallets that it has locked')
  const debit = debitOf(request, input, output, fresh)
  const amountMinor = request.refund?.isAmountOmitted ? (debit?.left ?? 0n) : request.amountMinor
  assert(amountMinor > 0n || debit, 'amounts are positive; the kind gives the direction')
  const settled = output.settlements.get(counterAccount) ?? 0n
  const change = changeOf(kind, amountMinor, wallet)
  const headroom = headroomOf(input.allowances.get(counterAccount), settled)
  const refusal =
    (debit && refuseRefund(amountMinor, wallet, debit.left)) ??
    refuse(kind, amountMinor, wallet, change, headroom)
  const decision: Decision = {
    digest,
    walletId,
    seq: refusal === null ? wallet.seq + 1n : wallet.seq,
    kind,
    amountMinor,
    balanceAfter: refusal === null ? wallet.balance + change.balance : null,
    refusal,
    decidedAtMs: input.nowMs,
  }
  if (debit) recordRefund(request, decision, debit, output)
  if (refusal !== null) return decision

  const operation = {
    walletId,
    seq: decision.seq,
    kind,
    amount: change.balance,
    balanceAfter: wallet.balance + change.balance,
    debtChange: change.debt,
    debtAfter: wallet.debt + change.debt,
    counterAccount,
    target: request.refund?.target ?? null,
    createdAtMs: input.nowMs,
  }
  const hash = hashOperation(wallet.headHash, operation, digest)
  const { referenceType, referenceId, description } = request
  output.operations.push({ ...operation, referenceType, referenceId, description, hash })
  output.wallets.set(walletId, {
    id: walletId,
    balance: operation.balanceAfter,
    debt: operation.debtAfter,
    seq: operation.seq,
    isActive: wallet.isActive,
    isClosed: wallet.isClosed,
    headHash: hash,
  })
  output.settlements.set(counterAccount, settled - netOf(change))
  return decision
}

interface DebitToRefund {
  debited: bigint
  /** How much of it is not refunded yet; 0 if the debit was refused. */
  left: bigint
}

/** The debit of a refund; undefined for other kinds. */
function debitOf(
  { refund, walletId }: DigestedRequest,
  input: BatchInput,
  { refunds }: BatchOutput,
  fresh: ReadonlyMap<string, Decision>,
): DebitToRefund | undefined {
  if (refund === undefined) return undefined
  const { target } = refund
  const debit = input.decided.get(target) ?? fresh.get(target)
  assert(
    debit?.kind === 'debit' && debit.walletId === walletId,
    'a refund names a debit of its wallet',
  )
  const debited = debit.amountMinor
  if (debit.refusal !== null) return { debited, left: 0n }
  const last = refunds.findLast((each) => each.debit === target)
  return { debited, left: debited - (last?.refunded ?? input.refunded?.get(target) ?? 0n) }
}

function recordRefund(
  { refund, digest, walletId }: DigestedRequest,
  decision: Decision,
  { debited, left }: DebitToRefund,
  { refunds }: BatchOutput,
) {
  assert(refund, 'only a refund has a debit')
  const isPosted = decision.refusal === null
  const refundable = isPosted ? left - decision.amountMinor : left
  decision.refund = { ...refund, refundable }
  const refunded = debited - refundable
  if (isPosted) refunds.push({ debit: refund.target, refund: digest, walletId, debited, refunded })
}

function refuseRefund(amount: bigint, wallet: WalletState, left: bigint): Refusal | null {
  if (wallet.isClosed) return 'WALLET_CLOSED'
  return amount > left || left === 0n ? 'REFUND_EXCEEDS_DEBIT' : null
}

interface Change {
  balance: bigint
  debt: bigint
}

/** The change of the person's position (balance − debt); the counter account changes by the opposite amount. */
function netOf(change: Change): bigint {
  return change.balance - change.debt
}

/** How much a client app may still credit; undefined if it has no limit. */
function headroomOf(allowance: Allowance | undefined, settled: bigint): bigint | undefined {
  return allowance && allowance.balance + settled + allowance.creditLimit
}

function changeOf(kind: Kind, amount: bigint, wallet: WalletState): Change {
  switch (kind) {
    case 'debit':
    case 'refund':
    case 'correction_out':
      return { balance: -amount, debt: 0n }
    case 'credit':
    case 'bonus':
    case 'correction_in':
      return { balance: amount, debt: 0n }
    case 'topup':
    case 'reversal':
    case 'debit_refund': {
      const collected = smaller(wallet.debt, amount)
      return { balance: amount - collected, debt: -collected }
    }
    case 'seizure': {
      const taken = smaller(wallet.balance, amount)
      return { balance: -taken, debt: amount - taken }
    }
  }
}

/** Checks in the contract's order: wallet state, limits, balance. */
function refuse(
  kind: Kind,
  amount: bigint,
  wallet: WalletState,
  change: Change,
  headroom: bigint | undefined,
): Refusal | null {
  if (kind === 'debit' && !wallet.isActive) return 'WALLET_INACTIVE'
  const isCredit = kind === 'credit' || kind === 'debit_refund'
  if (isCredit && headroom !== undefined && amount > headroom) return 'CREDIT_LIMIT_EXCEEDED'
  if (wallet.balance + change.balance > BALANCE_MAX_MINOR) return 'BALANCE_LIMIT'
  if (wallet.balance + change.balance < 0n) return 'INSUFFICIENT_BALANCE'
  return null
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
