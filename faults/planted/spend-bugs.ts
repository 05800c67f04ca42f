import type { PlantedBug } from './planted-bug.ts'

export const SPEND_BUGS: readonly PlantedBug[] = [
  {
    name: 'a capture counts for the spending limit again',
    file: 'server/ledger/spend/decide-spend.ts',
    find: `if (kind === 'debit' || kind === 'hold') spends.set(`,
    replace: `if (kind === 'debit' || kind === 'hold' || kind === 'capture') spends.set(`,
    test: 'server/ledger/spend/decide-spend.test.ts',
    title: 'a hold when it is placed; its captures do not',
  },
  {
    name: 'a refund of yesterday makes room in the spending limit of today',
    file: 'server/ledger/spend/decide-spend.ts',
    find: 'if (takenAtMs < period.startsAtMs) return period',
    replace: 'if (takenAtMs < 0) return period',
    test: 'server/ledger/spend/decide-spend.test.ts',
    title: 'gives back only in the periods in which the money was taken',
  },
  {
    name: 'after a change of the time zone, a period contains a part of the one before it',
    file: 'server/ledger/spend/decide-spend.ts',
    find: 'startsAtMs: Math.max(startsAtMs, last.endsAtMs)',
    replace: 'startsAtMs',
    test: 'server/ledger/spend/decide-spend.test.ts',
    title: 'keeps its bounds when the time zone changes',
  },
  {
    name: 'a spending limit may be exceeded by a cent',
    file: 'server/ledger/change-wallet.ts',
    find: `typeof spendable === 'bigint' && amount > spendable`,
    replace: `typeof spendable === 'bigint' && amount > spendable + 1n`,
    test: 'server/ledger/spend/decide-spend.test.ts',
    title: 'counts the requests of one batch one after the other, and no credit',
  },
  {
    name: 'what an app took before the first limit does not count',
    file: 'server/ledger/spend/set-spend-limit.ts',
    find: 'day: { ...day, spent: spent.day }',
    replace: 'day: { ...day, spent: 0n }',
    test: 'server/wallet/spend-limit.test.ts',
    title: 'counts what the app took in the period before the limit was set',
  },
]
