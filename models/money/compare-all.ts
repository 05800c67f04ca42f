/** Compares what apps, people and operators see with the model. */
import { listOperations } from '@coffer/contract/admin/operations'
import assert from 'node:assert/strict'
import { compareApp, compareSettlement } from './compare-app.ts'
import { compareOperations } from './compare-operations.ts'
import { comparePersonAsOperator } from './compare-operator.ts'
import { comparePerson } from './compare-person.ts'
import type { Item } from './compare-wallets.ts'
import { numberAllEvents, reportBalances } from './jobs.ts'
import { readPages, type Read } from './read-pages.ts'
import type { Run } from './run.ts'
import { dayText } from './spend-limit.ts'

const DAY_MS = 86_400_000

export async function compareAll(run: Run) {
  const { apps, wallets } = run.model
  // Also while the totals lack the newest operations.
  for (const app of apps) await compareSettlement(run, app)
  await reportBalances(run)
  await numberAllEvents(run)
  if (run.reads('expiries')) await compareExpiries(run)
  const open = wallets.filter(({ isClosed }) => !isClosed)
  await Promise.all(wallets.map((each) => comparePersonAsOperator(run, each)))
  await Promise.all([
    ...apps.map((each) => compareApp(run, each)),
    ...apps.map((each) => compareOperations(run, each)),
    ...open.map((each) => comparePerson(run, each)),
  ])
}

/** Of all apps, since this plan began. */
async function compareExpiries(run: Run) {
  const { wallets } = run.model
  const entries = wallets.flatMap((each) => each.entries)
  const firstMs = Math.min(...entries.map(({ atMs }) => atMs))
  // In any time zone.
  const fields = { kind: 'expiry', from: `${dayText(firstMs - DAY_MS)}T00:00` }
  const read: Read = (endpoint, each) => run.askAsOperator(endpoint, each)
  const listed = await readPages(read, listOperations, fields, 'operations')
  const people = wallets.map((each) => String(run.personOf(each).id))
  const found = listed.filter(({ person }) => people.includes(String((person as Item)['id'])))
  const expected = entries.filter(({ kind }) => kind === 'expiry')
  assert.equal(found.length, expected.length, 'expiries of all apps')
}
