/**
 * Decides a batch: a pure function of the wallets' states, earlier decisions and the requests in order. It does no I/O
 * and reads no clock, so property tests run it millions of times.
 */
import assert from 'node:assert/strict'
import { changeOf, headroomOf, netOf, refuse, type Change } from './change-wallet.ts'
import {
  dueOn,
  holdOf,
  findUnrecorded,
  ignore,
  recordHold,
  recordHoldChange,
  refuseHoldChange,
  releasedBy,
} from './decide-hold.ts'
import { debitOf, recordRefund, refuseRefund } from './decide-refund.ts'
import { hashOperation } from '../digest.ts'
import { leftOf, limitOf, recordSpend } from './decide-spend.ts'
import type { BatchInput, BatchOutput, DigestedRequest, Mismatch } from './decide-types.ts'
import type {
  Decision,
  Kind,
  LedgerQuestion,
  MismatchField,
  Outcome,
  WalletState,
} from '../types.ts'

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
    settlements: new Map(),
    mismatches: [],
  }
  const fresh = new Map<string, Decision>()
  const decideNew = (request: DigestedRequest) => {
    const decision = decideOne(request, input, output, fresh)
    fresh.set(request.digest, decision)
    output.decisions.push(decision)
    return decision
  }
  const expired = new Set<bigint>()
  for (const request of input.requests) {
    const { digest, walletId, kind } = request
    const isKnown = input.decided.has(digest) || fresh.has(digest)
    // Before the first new request on a wallet, so that the money of a hold whose time is over can be spent.
    if (!isKnown && input.due && !expired.has(walletId)) {
      expired.add(walletId)
      for (const expiry of dueOn(walletId, input)) decideNew(expiry)
    }
    const earlier = input.decided.get(digest) ?? fresh.get(digest)
    if (earlier === undefined) {
      const unrecorded =
        kind !== 'expiry' && lacksTarget(request, input, output, fresh)
          ? 'OPERATION_NOT_FOUND'
          : findUnrecorded(request, input, output)
      const decision = unrecorded ? ignore(request, unrecorded, input.nowMs) : decideNew(request)
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
  // The debit of a refund, and the hold of a capture or release, determine the wallet.
  if (decision.refund && asked.refund) {
    if (decision.refund.target !== asked.refund.target) mismatch.push('debit')
  } else if (decision.ofHold && asked.ofHold) {
    if (decision.ofHold.target !== asked.ofHold.target) mismatch.push('hold')
  } else if (asked.walletId !== decision.walletId) mismatch.push('serviceUserId')
  if (hasOtherTime(decision, asked)) mismatch.push('expiresInSeconds')
  if (asked.ofHold && decision.ofHold && asked.ofHold.isFinal !== decision.ofHold.isFinal) {
    mismatch.push('isFinal')
  }
  if (asked.kind !== decision.kind) mismatch.push('direction')
  return { decision, replayed: true, mismatch }
}

function hasOtherTime({ hold, decidedAtMs }: Decision, asked: LedgerQuestion): boolean {
  if (hold === undefined || asked.hold === undefined) return false
  return hold.expiresAtMs - decidedAtMs !== asked.hold.expiresInMs
}

/** A refund or capture without an amount is the same request as another one without. */
function hasOtherAmount(decision: Decision, asked: LedgerQuestion): boolean {
  const wasOmitted = (decision.refund ?? decision.ofHold)?.isAmountOmitted === true
  const isOmitted = (asked.refund ?? asked.ofHold)?.isAmountOmitted === true
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

/** A refund names a debit or capture of its wallet, a capture or release a hold. */
function lacksTarget(
  { refund, ofHold, walletId }: DigestedRequest,
  input: BatchInput,
  { holds }: BatchOutput,
  fresh: ReadonlyMap<string, Decision>,
): boolean {
  const target = refund?.target ?? ofHold?.target
  if (target === undefined) return false
  const hold = ofHold && (holds.get(target) ?? input.holds?.get(target))
  if (hold) return hold.walletId !== walletId
  const found = input.decided.get(target) ?? fresh.get(target)
  const kinds: readonly Kind[] = refund ? ['debit', 'capture'] : ['hold']
  return found === undefined || !kinds.includes(found.kind) || found.walletId !== walletId
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
  const found = holdOf(request, input, output, fresh)
  const left = debit?.left ?? found?.remaining ?? 0n
  const isAmountOmitted = (request.refund ?? request.ofHold)?.isAmountOmitted === true
  const amountMinor = isAmountOmitted ? left : request.amountMinor
  assert(amountMinor > 0n || isAmountOmitted, 'amounts are positive; the kind gives the direction')
  const settled = output.settlements.get(counterAccount) ?? 0n
  const released = found && releasedBy(request, amountMinor, found)
  const change = changeOf(kind, amountMinor, wallet, released)
  const headroom = headroomOf(input.allowances.get(counterAccount), settled)
  const limit = wallet.hasSpendLimits ? limitOf(request, input, output) : undefined
  const spendable = limit && leftOf(limit, input.nowMs)
  const refusal =
    (debit && refuseRefund(amountMinor, wallet, debit.left)) ??
    (found && refuseHoldChange(amountMinor, found)) ??
    refuse(kind, amountMinor, wallet, change, { headroom, spendable })
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
  change: Change,
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
    target: (request.refund ?? request.ofHold)?.target ?? null,
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
  const settled = output.settlements.get(counterAccount) ?? 0n
  if (net !== 0n) output.settlements.set(counterAccount, settled - net)
}
