import { TRANSACTIONS_DEFAULT } from '@coffer/contract/limits'
import { toWireNumber } from '@coffer/contract/money'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { scopeOf } from '../ledger/types.ts'
import { InvalidRequest } from '../service-error.ts'
import { findWallet } from './find-wallet.ts'
import { changesBalance, showTransaction } from './show-transaction.ts'

interface Input {
  serviceUserId: string
  limit?: number | undefined
  cursor?: string | undefined
}

export async function readWallet(context: Context, clientApp: ClientApp, input: Input) {
  return (await readHistory(context, clientApp, input)).shown
}

/** For the pages of the user: also what apps have reserved, and what this app may take. */
export async function readOwnerWallet(context: Context, clientApp: ClientApp, input: Input) {
  const { ledger, config } = context
  const { wallet, shown } = await readHistory(context, clientApp, input)
  const { ledgerAccount } = clientApp
  const spendable = await ledger.spendLimits.readSpendable(wallet, ledgerAccount, wallet.balance)
  return {
    ...shown,
    held: toWireNumber(wallet.held, config.currency),
    spendable: toWireNumber(spendable, config.currency),
  }
}

async function readHistory(context: Context, clientApp: ClientApp, input: Input) {
  const { ledger, transactionIds, config } = context
  const limit = input.limit ?? TRANSACTIONS_DEFAULT
  const wallet = await findWallet(context, clientApp, input.serviceUserId)
  // History up to the seq of the balance, so that the two are always consistent.
  let upToSeq = wallet.seq
  if (input.cursor !== undefined) {
    const last = transactionIds.decode(clientApp.ledgerAccount, input.cursor)
    if (last?.walletId !== wallet.id) {
      const expected = 'must be the nextCursor of the previous page of this user'
      throw new InvalidRequest(`The field cursor ${expected}.`, 'cursor')
    }
    upToSeq = last.seq - 1n
  }
  const { ledgerAccount } = clientApp
  const operations =
    upToSeq > 0n ? await ledger.readHistory(ledgerAccount, wallet.id, upToSeq, limit) : []
  const own = operations.filter((each) => each.kind === 'refund' && scopeOf(each) === ledgerAccount)
  const debits = await ledger.findDebits(own.flatMap(({ target }) => target ?? []))
  const oldest = operations.at(-1)
  const shown = {
    balance: toWireNumber(wallet.balance, config.currency),
    currency: config.currency.code,
    isActive: wallet.isActive,
    transactions: operations
      .filter(changesBalance)
      .map((operation) =>
        showTransaction(
          operation,
          ledgerAccount,
          config.currency,
          transactionIds,
          debits.get(operation.target ?? ''),
        ),
      ),
    // The cursor is the id of the last transaction; it is bound to the wallet and the app.
    nextCursor:
      oldest && oldest.seq > 1n && operations.length === limit
        ? transactionIds.encode(clientApp.ledgerAccount, wallet.id, oldest.seq)
        : null,
  }
  return { wallet, shown }
}
