import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import type { WalletState } from '../ledger/types.ts'
import { ServiceError } from '../service-error.ts'

/** The wallet of a linked user. Unknown users, users of other apps and unlinked users get the same response. */
export async function findWallet(
  { findLink, ledger }: Context,
  clientApp: ClientApp,
  serviceUserId: string,
): Promise<WalletState> {
  const link = await findLink(clientApp.id, serviceUserId)
  const wallet = link?.isLive ? await ledger.readWallet(link.walletId) : undefined
  if (wallet === undefined) throw new ServiceError('USER_NOT_FOUND')
  return wallet
}
