/** Compares what a person sees with the model: the account, the history and statements. */
import * as account from '@coffer/contract/account/account'
import { readOwnStatement } from '@coffer/contract/account/statement'
import assert from 'node:assert/strict'
import { TIME_ZONES } from './commands.ts'
import { readJson, type Item } from './compare-wallets.ts'
import { compareFiltered, readPages, type Filter, type Read } from './read-pages.ts'
import type { Run } from './run.ts'
import { findPeriod, localDay } from './spend-limit.ts'
import { toMajor, type Entry, type Wallet } from './state.ts'
import { isOutgoing, isShown, showInStatement, showLimit, showToPerson, sourceOf } from './views.ts'

export async function comparePerson(run: Run, wallet: Wallet) {
  await compareAccount(run, wallet)
  await compareHistory(run, wallet)
  if (run.reads('ids')) await compareSearchById(run, wallet)
  if (run.reads('statement of person')) await compareStatement(run, wallet)
}

async function compareAccount(run: Run, wallet: Wallet) {
  const { model } = run
  const shown = readJson(await run.askAsPerson(wallet, account.readAccount))
  const { balance, debt, held, isActive } = shown
  const sums = { balance, debt, held, isActive }
  const expected = {
    balance: toMajor(wallet.balance),
    debt: toMajor(wallet.debt),
    held: toMajor(wallet.held),
    isActive: wallet.isActive,
  }
  assert.deepEqual(sums, expected, 'account')
  const links = model.links.filter((each) => each.wallet === wallet && each.isLive)
  assert.deepEqual(
    (shown['apps'] as Item[]).map(({ clientId, name, limit }) => ({ clientId, name, limit })),
    links.map(({ app }) => {
      const limit = showLimit(model, app, wallet)
      return { clientId: app.clientId, name: app.name, limit }
    }),
    'linked apps',
  )
}

async function compareHistory(run: Run, wallet: Wallet) {
  const read: Read = (endpoint, fields) => run.askAsPerson(wallet, endpoint, fields)
  const newest = wallet.entries.toReversed()
  const filters: Filter[] = [
    [{}, () => true],
    [{ type: 'debit' }, isOutgoing],
    [{ type: 'credit' }, (each) => !isOutgoing(each)],
    [{ source: 'hold' }, (each) => sourceOf(each) === 'hold'],
    [
      { source: 'topup', type: 'credit' },
      (each) => sourceOf(each) === 'topup' && !isOutgoing(each),
    ],
    [{ source: 'app', type: 'credit' }, (each) => sourceOf(each) === 'app' && !isOutgoing(each)],
    [{ search: 'shop a' }, (each) => each.app?.name === 'Shop A'],
    [{ search: 'TEA' }, (each) => each.description === 'Tea'],
    [{ from: '2026-01-01', to: '2026-01-31' }, () => false],
  ]
  await compareFiltered(run, filters, async (filter, fits) => {
    const found = await readPages(read, account.readHistory, filter, 'transactions')
    const expected = newest.filter(fits).map(showToPerson)
    run.bindings.match(found, expected, `history ${JSON.stringify(filter)}`)
  })
}

/** The id of an entry finds it, and its refunds. */
async function compareSearchById(run: Run, wallet: Wallet) {
  const read: Read = (endpoint, fields) => run.askAsPerson(wallet, endpoint, fields)
  const taken = wallet.entries.filter(({ kind }) => kind === 'debit' || kind === 'capture')
  for (const entry of [...taken.slice(-3), ...wallet.entries.slice(-1)]) {
    const search = run.bindings.get(`txn person ${wallet.index} ${entry.seq}`)
    const found = await readPages(read, account.readHistory, { search }, 'transactions')
    const refunds = wallet.entries.filter(
      (each) => each.kind === 'refund' && each.target?.entry === entry,
    )
    const expected = [entry, ...refunds].toReversed().map(showToPerson)
    run.bindings.match(found, expected, 'search by id')
  }
}

/** Of each month with entries, in one time zone. */
async function compareStatement(run: Run, wallet: Wallet) {
  const timeZone = TIME_ZONES[run.plan.reader % TIME_ZONES.length] ?? 'UTC'
  const monthOf = ({ atMs }: Entry) => localDay(timeZone, atMs).slice(0, 7)
  for (const [month, entries] of Map.groupBy(wallet.entries, monthOf)) {
    const fields = { month, timeZone }
    const actual = readJson(await run.askAsPerson(wallet, readOwnStatement, fields))
    const [first, last] = [entries[0] as Entry, entries.at(-1) as Entry]
    const { fromMs, untilMs } = findPeriod('month', timeZone, first.atMs)
    const sum = (sign: number) =>
      toMajor(entries.reduce((total, { change }) => total + Math.max(0, sign * change), 0))
    const expected = {
      from: new Date(fromMs).toISOString(),
      before: new Date(untilMs).toISOString(),
      opening: toMajor(first.balanceAfter - first.change),
      totalIn: sum(1),
      totalOut: sum(-1),
      closing: toMajor(last.balanceAfter),
      currency: 'USD',
      transactions: entries.filter(isShown).map(showInStatement),
    }
    run.bindings.match(actual, expected, `statement of ${month} in ${timeZone}`)
  }
}
