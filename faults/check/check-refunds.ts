/** Checks the refunds of one wallet: never more than was debited, and refused only if the rest was too small. */
import { digestPair } from '../../server/ledger/digest.ts'
import type { Journal } from '../clients/journal.ts'
import type { Findings } from './findings.ts'
import type { KnownFacts, WalletBook } from './known-facts.ts'

interface Debit {
  debited: bigint
  /** How much of it was refunded after an operation, in order. */
  refunds: { seq: bigint; refunded: bigint }[]
}

export function checkRefunds(
  book: WalletBook,
  journal: Journal,
  apps: KnownFacts['apps'],
  pairOfDigest: ReadonlyMap<string, number>,
  findings: Findings,
) {
  const debits = new Map<string, Debit>()
  for (const {
    kind,
    counterAccount,
    referenceType,
    referenceId,
    ...operation
  } of book.operations) {
    const { seq, amount, debtChange, heldChange, target } = operation
    const name = `wallet ${book.walletId}, operation ${seq}`
    if (kind === 'debit' || kind === 'capture') {
      const digest = digestPair(counterAccount, referenceType, referenceId)
      debits.set(digest, { debited: debtChange - amount - heldChange, refunds: [] })
    }
    if (kind !== 'refund') continue
    const debit = debits.get(target ?? '')
    if (debit === undefined) {
      findings.add(8, `${name}: a refund without a debit before it`)
      continue
    }
    const refunded = (debit.refunds.at(-1)?.refunded ?? 0n) + amount - debtChange
    debit.refunds.push({ seq, refunded })
    if (refunded > debit.debited)
      findings.add(8, `${name}: ${refunded} of ${debit.debited} are refunded`)
  }
  for (const { digest, code, seq, amountMinor } of book.refusals) {
    if (code !== 'REFUND_EXCEEDS_DEBIT') continue
    const { target, app, referenceId } = journal.pair(pairOfDigest.get(digest) ?? -1)
    const of = target === undefined ? undefined : journal.pair(target)
    const account = apps[app]?.account ?? 0
    const debit = of && debits.get(digestPair(account, of.referenceType, of.referenceId))
    const refunded = debit?.refunds.findLast((each) => each.seq <= seq)?.refunded ?? 0n
    const left = (debit?.debited ?? 0n) - refunded
    if (amountMinor > left) continue
    findings.add(
      8,
      `refund ${referenceId} of app ${app} over ${amountMinor} was refused, ${left} were left`,
    )
  }
}
