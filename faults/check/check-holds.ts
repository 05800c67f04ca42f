/** Checks the holds of one wallet: captures and releases never exceed them, and are refused only if too little was left. */
import { digestPair } from '../../server/ledger/digest.ts'
import type { Journal } from '../clients/journal.ts'
import type { Findings } from './findings.ts'
import type { KnownFacts, WalletBook } from './known-facts.ts'

/** How much of a hold was left after an operation, in order; the first one is the hold. */
type Hold = { seq: bigint; left: bigint }[]

export function checkHolds(
  book: WalletBook,
  journal: Journal,
  apps: KnownFacts['apps'],
  pairOfDigest: ReadonlyMap<string, number>,
  findings: Findings,
) {
  const holds = new Map<string, Hold>()
  for (const operation of book.operations) {
    const { kind, seq, target, heldChange, counterAccount } = operation
    const name = `wallet ${book.walletId}, operation ${seq}`
    if (kind === 'hold') {
      const digest = digestPair(counterAccount, operation.referenceType, operation.referenceId)
      holds.set(digest, [{ seq, left: heldChange }])
    } else if (kind === 'capture' || kind === 'release') {
      const hold = holds.get(target ?? '')
      if (hold === undefined) findings.add(8, `${name}: a ${kind} without a hold before it`)
      const left = (hold?.at(-1)?.left ?? 0n) + heldChange
      hold?.push({ seq, left })
      if (left < 0n || heldChange >= 0n)
        findings.add(8, `${name}: ${-heldChange} were taken of a hold, ${left} are left`)
    } else if (heldChange !== 0n) findings.add(8, `${name}: a ${kind} changed the held amount`)
  }
  const open = [...holds.values()].reduce((sum, hold) => sum + (hold.at(-1)?.left ?? 0n), 0n)
  if (open !== book.held)
    findings.add(5, `wallet ${book.walletId} holds ${book.held}, its holds add up to ${open}`)
  for (const { digest, code, seq, amountMinor } of book.refusals) {
    if (code !== 'CAPTURE_EXCEEDS_HOLD' && code !== 'HOLD_CLOSED') continue
    const { target, app, referenceId } = journal.pair(pairOfDigest.get(digest) ?? -1)
    const of = target === undefined ? undefined : journal.pair(target)
    const account = apps[app]?.account ?? 0
    const hold = of && holds.get(digestPair(account, of.referenceType, of.referenceId))
    const left = hold?.findLast((each) => each.seq <= seq)?.left ?? 0n
    const isRight = code === 'HOLD_CLOSED' ? left === 0n : left > 0n && amountMinor > left
    if (!isRight)
      findings.add(8, `${referenceId} of app ${app} was refused with ${code}, ${left} were held`)
  }
}
