import type { Ledger } from '../ledger/ledger.ts'
import { UNCLAIMED_ACCOUNT, type LedgerRequest, type Outcome } from '../ledger/types.ts'

/**
 * Posts a movement between the processor and a wallet. If money arrives after the account was deleted, nobody can use
 * the wallet, so the balance moves on to the account for unclaimed money. If the process stops in between, the repeated
 * request does it.
 */
export async function postProcessorMovement(
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
