/** Compares what operators see of a client app with the model: its operations, its statement and repeats that differ. */
import { readStatement } from '@coffer/contract/admin/client-app-statements'
import { listOperations, lookUpOperation } from '@coffer/contract/admin/operations'
import assert from 'node:assert/strict'
import { readJson, type Item } from './compare-wallets.ts'
import { matchByTime, readPages, type Read } from './read-pages.ts'
import type { Run } from './run.ts'
import { toMajor, type App, type Decision, type Type } from './state.ts'
import { showInList } from './views.ts'

const DAY_MS = 86_400_000
/** What the platform owes an app changes by these. */
const SIGNS: Record<Type, number> = {
  debit: 1,
  capture: 1,
  credit: -1,
  refund: -1,
  hold: 0,
  release: 0,
}
const ATTEMPTS_SHOWN = 50

export async function compareOperations(run: Run, app: App) {
  if (run.reads('statement of app')) await compareStatement(run, app)
  if (run.reads('attempts')) await compareAttempts(run, app)
  const read: Read = (endpoint, fields) => run.askAsOperator(endpoint, fields)
  const entries = run.model.wallets.flatMap((each) => each.entries)
  const own = entries.filter((each) => each.app === app)
  for (const kind of [undefined, 'expiry', 'refund', 'capture']) {
    if (!run.reads(`kind ${kind}`)) continue
    const fields = { clientId: app.clientId, kind }
    const actual = await readPages(read, listOperations, fields, 'operations')
    const expected = own.filter((each) => kind === undefined || kind === each.kind)
    const shown = expected.map((each) => {
      const { wallet } = each
      const id = String(run.personOf(wallet).id)
      return showInList(each, { id, name: wallet.isClosed ? null : 'Ada Example' })
    })
    matchByTime(run, actual, shown, `operations of kind ${kind}`)
  }
}

/** From a day with operations to today, or to the day before. */
async function compareStatement(run: Run, app: App) {
  const { clientId } = app
  const posted = [...app.decisions.values()].filter(({ entry }) => entry)
  const today = Math.floor(run.model.nowMs / DAY_MS)
  const days = [...new Set(posted.map(({ atMs }) => Math.floor(atMs / DAY_MS))), today]
  const from = days[run.plan.reader % days.length] as number
  const to = Math.max(from, today - (run.plan.reader % 2))
  const text = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
  const fields = { clientId, from: text(from), to: text(to) }
  const response = readJson(await run.askAsOperator(readStatement, fields))
  const { until: _, ...statement } = response
  const before = posted.filter(({ atMs }) => atMs < from * DAY_MS)
  const within = posted.filter(({ atMs }) => atMs >= from * DAY_MS && atMs < (to + 1) * DAY_MS)
  const sums = (sign: number) => {
    const some = within.filter(({ type }) => SIGNS[type] === sign)
    return { count: some.length, amount: toMajor(sign * owedBy(some)) }
  }
  const expected = {
    currency: 'USD',
    opening: toMajor(owedBy(before)),
    debits: sums(1),
    credits: sums(-1),
    closing: toMajor(owedBy([...before, ...within])),
  }
  run.bindings.match(statement, expected, `statement ${fields.from} to ${fields.to}`)
}

function owedBy(decisions: readonly Decision[]): number {
  return decisions.reduce((sum, { type, amount }) => sum + SIGNS[type] * amount, 0)
}

/** Repeats that differ. */
async function compareAttempts(run: Run, { clientId, decisions }: App) {
  const tried = [...decisions.values()].filter(({ attempts }) => attempts.length > 0).slice(-4)
  for (const { referenceType, referenceId, attempts } of tried) {
    const fields = { clientId, referenceType, referenceId }
    const found = readJson(await run.askAsOperator(lookUpOperation, fields))
    const actual = (found['attempts'] as Item[]).map(({ kind, amount, differs, person }) => {
      const id = (person as Item | null)?.['id']
      return JSON.stringify({ kind, amount, differs, id })
    })
    const newest = attempts.toReversed().slice(0, ATTEMPTS_SHOWN)
    const expected = newest.map(({ type, amount, differs, wallet }) => {
      const id = wallet && String(run.personOf(wallet).id)
      return JSON.stringify({ kind: type, amount: toMajor(amount), differs, id })
    })
    assert.deepEqual(actual.toSorted(), expected.toSorted(), 'attempts')
  }
}
