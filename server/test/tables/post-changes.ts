/** Wallets with refunds, holds and a spending limit, for tests that change them behind the service's back. */
import { makeClientApp, makeUser } from '../factories.ts'
import type { Harness } from '../harness.ts'

/** A wallet with a debit of 300, refunds of 100 and 50, and 350 left. */
export async function postRefunds({ context }: Harness): Promise<bigint> {
  const { ledger } = context
  const { ledgerAccount: counterAccount } = await makeClientApp(context)
  const { walletId } = await makeUser(context, 500n)
  const common = { walletId, counterAccount, referenceType: 'TAMPER', description: 'words' }
  const { decision } = await ledger.post({
    ...common,
    kind: 'debit',
    amountMinor: 300n,
    referenceId: 'debit',
  })
  const refund = { target: decision.digest, isAmountOmitted: false, isBalanceHidden: false }
  for (const amountMinor of [100n, 50n]) {
    const referenceId = `refund-${amountMinor}`
    await ledger.post({ ...common, kind: 'refund', amountMinor, referenceId, refund })
  }
  return walletId
}

/**
 * A wallet with a hold of 100 (operation 2), of which 30 are captured (operation 3), and one of 40 (operation 4), which
 * is released (operation 5). 400 are left beside the 70 that are held.
 */
export async function postHolds({ context }: Harness): Promise<bigint> {
  const { ledger } = context
  const { ledgerAccount: counterAccount } = await makeClientApp(context)
  const { walletId } = await makeUser(context, 500n)
  const common = { walletId, counterAccount, referenceType: 'TAMPER', description: 'words' }
  const hold = { expiresInMs: 86_400_000 }
  async function place(amountMinor: bigint) {
    const referenceId = `hold-${amountMinor}`
    const request = { ...common, kind: 'hold' as const, amountMinor, referenceId, hold }
    const { decision } = await ledger.post(request)
    return { target: decision.digest, isBalanceHidden: false }
  }
  await ledger.post({
    ...common,
    kind: 'capture',
    amountMinor: 30n,
    referenceId: 'capture',
    holdChange: { ...(await place(100n)), isAmountOmitted: false, isFinal: false },
  })
  await ledger.post({
    ...common,
    kind: 'release',
    amountMinor: 0n,
    referenceId: 'release',
    holdChange: { ...(await place(40n)), isAmountOmitted: true, isFinal: true },
  })
  return walletId
}

/** A wallet from which an app with a limit has taken 300 and 50, and returned 100. */
export async function postLimited({ context }: Harness) {
  const { ledger } = context
  const { ledgerAccount: account } = await makeClientApp(context)
  const { walletId } = await makeUser(context, 500n)
  const max = { day: 1_000n, week: 2_000n, month: 3_000n }
  const terms = { singleMax: null, max, endsAtMs: null, timeZone: 'UTC' }
  await ledger.spendLimits.set(walletId, account, terms)
  const common = { walletId, counterAccount: account, referenceType: 'LIMIT', description: 'words' }
  const debit = { ...common, kind: 'debit' as const, amountMinor: 300n, referenceId: 'debit' }
  const { decision } = await ledger.post(debit)
  const refund = { target: decision.digest, isAmountOmitted: false, isBalanceHidden: false }
  const back = { ...common, kind: 'refund' as const, amountMinor: 100n, referenceId: 'back' }
  await ledger.post({ ...back, refund })
  await ledger.post({ ...debit, amountMinor: 50n, referenceId: 'again' })
  return { walletId, account: BigInt(account) }
}
