/** The part of `decide` that only holds, and what changes them, need. */
import assert from 'node:assert/strict'
import { digestPair } from '../digest.ts'
import type { BatchInput, BatchOutput, DigestedRequest } from './decide-types.ts'
import {
  SERVICE_SCOPE,
  type Decision,
  type Hold,
  type LedgerRequest,
  type Refusal,
} from '../types.ts'

/** The hold of a capture, release or expiry. */
export interface HoldToChange {
  /** undefined if the hold was refused. */
  hold: Hold | undefined
  remaining: bigint
}

/** undefined for kinds that change no hold. */
export function holdOf(
  { holdChange, walletId }: DigestedRequest,
  input: BatchInput,
  { holds }: BatchOutput,
  decidedInBatch: ReadonlyMap<string, Decision>,
): HoldToChange | undefined {
  if (holdChange === undefined) return undefined
  const { target } = holdChange
  const hold = holds.get(target) ?? input.holds?.get(target)
  const ownerId =
    hold?.walletId ?? (input.decided.get(target) ?? decidedInBatch.get(target))?.walletId
  assert(ownerId === walletId, 'a capture, release or expiry names a hold of its wallet')
  return { hold, remaining: hold?.remaining ?? 0n }
}

export function findHoldChangeRefusal(
  amount: bigint,
  { hold, remaining }: HoldToChange,
): Refusal | null {
  if (hold?.closedBy === 'expiry') return 'HOLD_EXPIRED'
  if (remaining === 0n) return 'HOLD_CLOSED'
  return amount > remaining ? 'CAPTURE_EXCEEDS_HOLD' : null
}

/** What a final capture returns to the wallet. */
export function releasedBy(
  { holdChange, kind }: DigestedRequest,
  amount: bigint,
  { remaining }: HoldToChange,
): bigint {
  return kind === 'capture' && holdChange?.isFinal && amount < remaining ? remaining - amount : 0n
}

export function recordHoldChange(
  request: DigestedRequest,
  decision: Decision,
  found: HoldToChange,
  output: BatchOutput,
) {
  const { holdChange, kind, digest, walletId } = request
  assert(holdChange, 'only a capture, release or expiry has a hold')
  const { hold, remaining: before } = found
  const terms = { ...holdChange, held: before, released: 0n }
  decision.holdChange = terms
  if (decision.refusal !== null || hold === undefined) return
  const isCapture = kind === 'capture'
  const { amountMinor } = decision
  terms.released = isCapture ? releasedBy(request, amountMinor, found) : amountMinor
  terms.held = before - terms.released - (isCapture ? amountMinor : 0n)
  output.holds.set(hold.digest, {
    ...hold,
    captured: hold.captured + (isCapture ? amountMinor : 0n),
    remaining: terms.held,
    closedBy: terms.held === 0n ? kind : null,
  })
  output.holdChanges.push({
    hold: hold.digest,
    change: digest,
    walletId,
    remaining: terms.held,
  })
}

export function recordHold(
  { hold, digest, walletId, counterAccount, referenceType, referenceId }: DigestedRequest,
  decision: Decision,
  { holds }: BatchOutput,
) {
  assert(hold, 'a hold has a time')
  const { amountMinor, refusal, decidedAtMs: createdAtMs } = decision
  const expiresAtMs = createdAtMs + hold.expiresInMs
  decision.hold = { expiresAtMs }
  if (refusal !== null) return
  holds.set(digest, {
    digest,
    walletId,
    account: counterAccount,
    amount: amountMinor,
    captured: 0n,
    remaining: amountMinor,
    createdAtMs,
    expiresAtMs,
    closedBy: null,
    referenceType,
    referenceId,
  })
}

/** The pair is in the service's scope, so that a hold expires once, whoever books it. */
export function toExpiry({
  digest,
  walletId,
  account,
}: Pick<Hold, 'digest' | 'walletId' | 'account'>): LedgerRequest {
  return {
    kind: 'expiry',
    referenceType: 'HOLD_EXPIRY',
    referenceId: digest,
    walletId,
    amountMinor: 0n,
    counterAccount: account,
    description: null,
    holdChange: { target: digest, isAmountOmitted: true, isFinal: true, isBalanceHidden: false },
  }
}

/** The expiries that are due on a wallet. */
export function dueOn(walletId: bigint, { due = [] }: BatchInput): DigestedRequest[] {
  return due
    .filter((hold) => hold.walletId === walletId)
    .map(toExpiry)
    .map((request) => ({ ...request, scope: SERVICE_SCOPE, digest: digestOfExpiry(request) }))
}

function digestOfExpiry({ referenceType, referenceId }: LedgerRequest): string {
  return digestPair(SERVICE_SCOPE, referenceType, referenceId)
}

/**
 * Why a change of a hold is refused without a record, so that a repeat is decided again: the hold of an expiry was
 * closed meanwhile, or its time is not over yet; or the hold of a capture is suspended until an operator decides.
 */
export function findUnrecordedRefusal(
  { kind, holdChange }: DigestedRequest,
  input: BatchInput,
  { holds }: BatchOutput,
): Refusal | undefined {
  if (kind === 'expiry') return 'HOLD_CLOSED'
  if (kind !== 'capture' || holdChange === undefined) return undefined
  const hold = holds.get(holdChange.target) ?? input.holds?.get(holdChange.target)
  return hold?.isSuspended && hold.closedBy === null ? 'HOLD_SUSPENDED' : undefined
}

/** A refusal that is not recorded. */
export function refuseUnrecorded(
  { digest, walletId, kind, amountMinor, refund, holdChange }: DigestedRequest,
  refusal: Refusal,
  nowMs: number,
): Decision {
  return {
    digest,
    walletId,
    seq: 0n,
    kind,
    amountMinor,
    balanceAfter: null,
    refusal,
    decidedAtMs: nowMs,
    ...(refund && { refund: { ...refund, refundable: 0n } }),
    ...(holdChange && { holdChange: { ...holdChange, held: 0n, released: 0n } }),
  }
}
