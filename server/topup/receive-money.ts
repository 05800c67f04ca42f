import type { Ledger } from '../ledger/ledger.ts'
import { UNCLAIMED_ACCOUNT, type LedgerRequest, type Outcome } from '../ledger/types.ts'

/**
 * Posts money that arrives from the processor. If the account was deleted meanwhile, nobody can use the wallet, so its
 * balance goes to the account for unclaimed money. A process that stops in between does it when it repeats the request.
 */
export async function receiveMoney(
  ledger: Pick<Ledger, 'post' | 'readWallet'>,
  request: LedgerRequest,
): Promise<Outcome> {
  const outcome = await ledger.post(request)
  const wallet = await ledger.readWallet(request.walletId)
  if (wallet?.isClosed && wallet.balance > 0n) {
    await ledger.post({
      kind: 'correction_out',
      referenceType: 'UNCLAIMED',
      // Two processes that see the same balance move it once.
      referenceId: `${wallet.id}-${wallet.seq}`,
      walletId: wallet.id,
      amountMinor: wallet.balance,
      counterAccount: UNCLAIMED_ACCOUNT,
      description: null,
    })
  }
  return outcome
}
