/**
 * Decides a batch: a pure function of the wallets' states, earlier decisions and the requests in order. It does no I/O
 * and reads no clock, so property tests run it millions of times.
 */
import assert from 'node:assert/strict'
import { changeOf, netOf, type WalletChange } from './change-wallet.ts'
import { findRefusal, headroomOf } from './find-refusal.ts'
import {
  dueOn,
  holdOf,
  findUnrecordedRefusal,
  refuseUnrecorded,
  recordHold,
  recordHoldChange,
  findHoldChangeRefusal,
  releasedBy,
} from './decide-hold.ts'
import { debitOf, recordRefund, findRefundRefusal } from './decide-refund.ts'
import { hashOperation } from '../digest.ts'
import { leftOf, limitOf, recordSpend } from './decide-spend.ts'
import type { BatchInput, BatchOutput, DigestedRequest, Mismatch } from './decide-types.ts'
import type { Decision, Kind, LedgerLookup, MismatchField, Outcome, WalletState } from '../types.ts'

export function decide(input: BatchInput): BatchOutput {
  const output: BatchOutput = {
    outcomes: [],
    decisions: [],
    operations: [],
    wallets: new Map(),
    refunds: [],
    holds: new Map(),
    holdChanges: [],
    spends: new Map(),
    accountChanges: new Map(),
    mismatches: [],
  }
  const decidedInBatch = new Map<string, Decision>()
  const decideNew = (request: DigestedRequest) => {
    const decision = decideOne(request, input, output, decidedInBatch)
    decidedInBatch.set(request.digest, decision)
    output.decisions.push(decision)
    return decision
  }
  const expired = new Set<bigint>()
  for (const request of input.requests) {
    const { digest, walletId, kind } = request
    const isKnown = input.decided.has(digest) || decidedInBatch.has(digest)
    // Before the first new request on a wallet, so that the money of a hold whose time is over can be spent.
    if (!isKnown && input.due && !expired.has(walletId)) {
      expired.add(walletId)
      for (const expiry of dueOn(walletId, input)) decideNew(expiry)
    }
    const earlier = input.decided.get(digest) ?? decidedInBatch.get(digest)
    if (earlier === undefined) {
      const unrecorded =
        kind !== 'expiry' && lacksTarget(request, input, output, decidedInBatch)
          ? 'OPERATION_NOT_FOUND'
          : findUnrecordedRefusal(request, input, output)
      const decision = unrecorded
        ? refuseUnrecorded(request, unrecorded, input.nowMs)
        : decideNew(request)
      output.outcomes.push({ decision, replayed: false, mismatch: [] })
    } else {
      const outcome = replay(earlier, request)
      if (outcome.mismatch.length > 0) output.mismatches.push(recordMismatch(request, outcome))
      output.outcomes.push(outcome)
    }
  }
  return output
}

export function replay(decision: Decision, repeat: LedgerLookup): Outcome {
  const mismatch: MismatchField[] = []
  if (hasOtherAmount(decision, repeat)) mismatch.push('amount')
  // The debit of a refund, and the hold of a capture or release, determine the wallet.
  if (decision.refund && repeat.refund) {
    if (decision.refund.target !== repeat.refund.target) mismatch.push('debit')
  } else if (decision.holdChange && repeat.holdChange) {
    if (decision.holdChange.target !== repeat.holdChange.target) mismatch.push('hold')
  } else if (repeat.walletId !== decision.walletId) mismatch.push('serviceUserId')
  if (hasOtherTime(decision, repeat)) mismatch.push('expiresInSeconds')
  if (
    repeat.holdChange &&
    decision.holdChange &&
    repeat.holdChange.isFinal !== decision.holdChange.isFinal
  ) {
    mismatch.push('isFinal')
  }
  if (repeat.kind !== decision.kind) mismatch.push('direction')
  return { decision, replayed: true, mismatch }
}

function hasOtherTime({ hold, decidedAtMs }: Decision, repeat: LedgerLookup): boolean {
  if (hold === undefined || repeat.hold === undefined) return false
  return hold.expiresAtMs - decidedAtMs !== repeat.hold.expiresInMs
}

/** A refund or capture without an amount is the same request as another one without. */
function hasOtherAmount(decision: Decision, repeat: LedgerLookup): boolean {
  const wasOmitted = (decision.refund ?? decision.holdChange)?.isAmountOmitted === true
  const isOmitted = (repeat.refund ?? repeat.holdChange)?.isAmountOmitted === true
  if (wasOmitted || isOmitted) return wasOmitted !== isOmitted
  return repeat.amountMinor !== decision.amountMinor
}

export function recordMismatch(
  repeat: LedgerLookup & { digest: string },
  { mismatch }: Outcome,
): Mismatch {
  const { digest, walletId, kind, amountMinor } = repeat
  return { digest, walletId, kind, amountMinor, differs: mismatch }
}

/** A refund names a debit or capture of its wallet, a capture or release a hold. */
function lacksTarget(
  { refund, holdChange, walletId }: DigestedRequest,
  input: BatchInput,
  { holds }: BatchOutput,
  decidedInBatch: ReadonlyMap<string, Decision>,
): boolean {
  const target = refund?.target ?? holdChange?.target
  if (target === undefined) return false
  const hold = holdChange && (holds.get(target) ?? input.holds?.get(target))
  if (hold) return hold.walletId !== walletId
  const found = input.decided.get(target) ?? decidedInBatch.get(target)
  const kinds: readonly Kind[] = refund ? ['debit', 'capture'] : ['hold']
  return found === undefined || !kinds.includes(found.kind) || found.walletId !== walletId
}

function decideOne(
  request: DigestedRequest,
  input: BatchInput,
  output: BatchOutput,
  decidedInBatch: ReadonlyMap<string, Decision>,
): Decision {
  const { walletId, kind, counterAccount, digest } = request
  const wallet = output.wallets.get(walletId) ?? input.wallets.get(walletId)
  assert(wallet !== undefined, 'a batch decides only on wallets that it has locked')
  const debit = debitOf(request, input, output, decidedInBatch)
  const found = holdOf(request, input, output, decidedInBatch)
  const left = debit?.left ?? found?.remaining ?? 0n
  const isAmountOmitted = (request.refund ?? request.holdChange)?.isAmountOmitted === true
  const amountMinor = isAmountOmitted ? left : request.amountMinor
  assert(amountMinor > 0n || isAmountOmitted, 'amounts are positive; the kind gives the direction')
  const accountChange = output.accountChanges.get(counterAccount) ?? 0n
  const released = found && releasedBy(request, amountMinor, found)
  const change = changeOf(kind, amountMinor, wallet, released)
  const headroom = headroomOf(input.runningBalances.get(counterAccount), accountChange)
  const limit = wallet.hasSpendLimits ? limitOf(request, input, output) : undefined
  const spendable = limit && leftOf(limit, input.nowMs)
  const refusal =
    (debit && findRefundRefusal(amountMinor, wallet, debit.left)) ??
    (found && findHoldChangeRefusal(amountMinor, found)) ??
    findRefusal(kind, amountMinor, wallet, change, { headroom, spendable })
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
  if (found) recordHoldChange(request, decision, found, output)
  if (kind === 'hold') recordHold(request, decision, output)
  if (limit) recordSpend(limit, decision, debit?.takenAtMs ?? found?.hold?.createdAtMs, output)
  if (refusal === null) post(request, wallet, change, input.nowMs, output)
  return decision
}

/** Adds the operation and the new state of its wallet to the output. */
function post(
  request: DigestedRequest,
  wallet: WalletState,
  change: WalletChange,
  nowMs: number,
  output: BatchOutput,
) {
  const { walletId, kind, counterAccount } = request
  const operation = {
    walletId,
    seq: wallet.seq + 1n,
    kind,
    amount: change.balance,
    balanceAfter: wallet.balance + change.balance,
    debtChange: change.debt,
    debtAfter: wallet.debt + change.debt,
    heldChange: change.held,
    heldAfter: wallet.held + change.held,
    counterAccount,
    target: (request.refund ?? request.holdChange)?.target ?? null,
    createdAtMs: nowMs,
  }
  const hash = hashOperation(wallet.headHash, operation, request.digest)
  const { referenceType, referenceId } = request
  // The texts of a closed wallet are erased, and no new ones are stored.
  const description = wallet.isClosed ? null : request.description
  output.operations.push({ ...operation, referenceType, referenceId, description, hash })
  output.wallets.set(walletId, {
    id: walletId,
    balance: operation.balanceAfter,
    debt: operation.debtAfter,
    held: operation.heldAfter,
    seq: operation.seq,
    nextExpiryMs: wallet.nextExpiryMs,
    isActive: wallet.isActive,
    isClosed: wallet.isClosed,
    hasSpendLimits: wallet.hasSpendLimits,
    headHash: hash,
  })
  // A hold and its end do not change the ledger account, and the batch has not locked the account of a due hold.
  const net = netOf(change)
  const accountChange = output.accountChanges.get(counterAccount) ?? 0n
  if (net !== 0n) output.accountChanges.set(counterAccount, accountChange - net)
}
