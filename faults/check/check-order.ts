/** Checks refusals and reads, which have no operation: each must fit a possible position in the wallet's order. */
import type { Findings } from './findings.ts'
import type { Journal } from '../clients/journal.ts'
import type { Moment, Order } from './order.ts'
import type { Outcomes } from './outcomes.ts'
import type { Freeze, WalletBook } from './known-facts.ts'

/** What takes money from a balance. */
function isPayment(kind: string | undefined): boolean {
  return kind === 'debit' || kind === 'hold'
}

interface WalletCheck {
  book: WalletBook
  wallet: number
  /** The balance after each operation; the first one is before all operations. */
  balances: Float64Array
  order: Order
  freezes: readonly Freeze[]
}

export function checkRefusals(
  journal: Journal,
  outcomes: Outcomes,
  { book, wallet, balances, order, freezes }: WalletCheck,
  pairOfDigest: ReadonlyMap<string, number>,
  findings: Findings,
) {
  for (const { digest } of book.refusals) {
    const pair = pairOfDigest.get(digest)
    const outcome = pair === undefined ? undefined : outcomes.get(pair)
    if (pair === undefined || outcome === undefined || outcome.wallet !== wallet) continue
    const { firstSentMs, firstRespondedMs, referenceId, app } = journal.pair(pair)
    const { seq, amountMinor, code, verb } = outcome
    const name = `${verb} ${referenceId} of app ${app}`
    const { least, most } = order.windowOf(firstSentMs, firstRespondedMs)
    if (seq < least || seq > most) {
      findings.add(7, `${name} was refused at operation ${seq}, but must be at ${least} to ${most}`)
    }
    const balance = balances[seq] ?? NaN
    if (code === 'INSUFFICIENT_BALANCE' && !(isPayment(verb) && balance < amountMinor)) {
      findings.add(8, `${name} over ${amountMinor} was refused with a balance of ${balance}`)
    }
    const mayBeFrozen = freezes.some(
      (each) => each.wallet === wallet && each.fromMs < firstRespondedMs && each.toMs > firstSentMs,
    )
    if (code === 'WALLET_INACTIVE' && !mayBeFrozen) {
      findings.add(8, `${name} was refused, but the wallet was not frozen at that time`)
    }
    if (code === 'BALANCE_LIMIT')
      findings.add(
        8,
        `${name} was refused with BALANCE_LIMIT, although the balance was far below the limit`,
      )
  }
}

/** A wallet that was certainly frozen during the whole time of a debit cannot have been debited. */
export function checkFreezes(
  moments: readonly Moment[],
  { book, wallet, freezes }: WalletCheck,
  findings: Findings,
) {
  for (const freeze of freezes) {
    if (freeze.wallet !== wallet) continue
    for (const { seq, sentMs, respondedMs } of moments) {
      const isDebit = isPayment(book.operations[seq - 1]?.kind)
      const isWithin = sentMs >= freeze.surelyFromMs && respondedMs <= freeze.surelyToMs
      if (isDebit && isWithin)
        findings.add(
          8,
          `wallet ${book.walletId}, operation ${seq}: the wallet was frozen when it was debited`,
        )
    }
  }
}

export function checkReads(
  journal: Journal,
  reads: readonly number[],
  { book, balances, order }: WalletCheck,
  findings: Findings,
) {
  for (const at of reads) {
    const { verb, balanceMinor, seq, sentMs, respondedMs } = journal.request(at)
    const { least, most } = order.windowOf(sentMs, respondedMs)
    const name = `a ${verb} of wallet ${book.walletId}`
    // A capture that releases nothing is not in a history: then it shows none.
    if (verb === 'history' && seq > 0) {
      if (seq < least || seq > most) {
        findings.add(
          7,
          `${name} shows operation ${seq} as newest, but should show ${least} to ${most}`,
        )
      }
      if (balances[seq] !== balanceMinor) {
        findings.add(
          6,
          `${name} shows ${balanceMinor} at operation ${seq}, which left ${balances[seq]}`,
        )
      }
    } else if (!balances.subarray(least, most + 1).includes(balanceMinor)) {
      findings.add(
        7,
        `${name} shows ${balanceMinor}, which it never had from operation ${least} to ${most}`,
      )
    }
  }
}
