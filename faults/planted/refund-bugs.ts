import type { PlantedBug } from './planted-bug.ts'

export const REFUND_BUGS: readonly PlantedBug[] = [
  {
    name: 'a refund may exceed its debit',
    file: 'server/ledger/decide-refund.ts',
    find: `amount > left || left === 0n ? 'REFUND_EXCEEDS_DEBIT'`,
    replace: `left === 0n ? 'REFUND_EXCEEDS_DEBIT'`,
    test: 'server/wallet/refund-debit.test.ts',
    title: '409 REFUND_EXCEEDS_DEBIT is recorded',
  },
  {
    name: 'refunds in the same batch do not see each other',
    file: 'server/ledger/decide-refund.ts',
    find: 'last?.refunded ?? input.refunded?.get(target)',
    replace: 'input.refunded?.get(target)',
    test: 'server/ledger/decide.test.ts',
    title: 'agrees with a naive one-by-one model',
  },
  {
    name: 'an app that was unlinked learns the balance from a refund',
    file: 'server/wallet/execute-on-target.ts',
    find: 'const isBalanceHidden = !(await isLinked(clientApp.id, walletId))',
    replace: 'const isBalanceHidden = isLinked === undefined',
    test: 'server/wallet/refund-later.test.ts',
    title: 'works after the user has unlinked the app',
  },
  {
    name: 'a deleted account receives refunds',
    file: 'server/account/delete-account.ts',
    find: 'if (!(await ledger.closeWallet(walletId, tx)))',
    replace: 'if ((await ledger.readWallet(walletId))?.balance !== 0n)',
    test: 'server/account/delete-account.alone.test.ts',
    title: '200 erases all personal data and keeps the wallet and the ledger',
  },
  {
    name: 'a refund that is not in the totals is not found',
    file: 'server/ledger/verify.ts',
    find: 'if (keys === undefined || rows === keys.refunds) return',
    replace: 'if (keys === undefined || rows <= keys.refunds) return',
    test: 'server/archive/archive-holds.own.test.ts',
    title: 'has holds that stay open, are captured and released later, and come back with it',
  },
  {
    name: 'an app learns which debit another app refunded',
    file: 'server/wallet/read-wallet.ts',
    find: `each.kind === 'debit_refund' && scopeOf(each) === account`,
    replace: `each.kind === 'debit_refund' || scopeOf(each) === account`,
    test: 'server/wallet/refund-later.test.ts',
    title: 'shows the debit in the history of the app only, not in those of others',
  },
]
