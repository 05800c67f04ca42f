/** Compares what a client app reads with the model. */
import { readClientApp } from '@coffer/contract/admin/client-apps'
import { readEvents } from '@coffer/contract/server/events'
import { listHolds } from '@coffer/contract/server/holds'
import {
  checkBalance,
  exportOperations,
  findOperation,
  listOwnOperations,
  readWallet,
} from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import type { Fields } from '../../server/test/setup.ts'
import { readJson, type Item } from './compare-wallets.ts'
import { matchByTime, pageSize, readPages, type Read } from './read-pages.ts'
import { refuse } from './responses.ts'
import type { Run } from './run.ts'
import { toMajor, type App, type Decision, type Entry, type Link, type Wallet } from './state.ts'
import {
  isShown,
  showDecision,
  showHold,
  showListed,
  showSpendable,
  showToApp,
  stateOf,
} from './views.ts'

type Posted = Decision & { entry: Entry }

const HIDDEN_MAX = 4

function isPosted(decision: Decision): decision is Posted {
  return decision.entry !== undefined
}

export async function compareApp(run: Run, app: App) {
  const decisions = [...app.decisions.values()]
  for (const link of run.model.links) {
    const { serviceUserId } = link
    if (!run.reads(`wallet ${serviceUserId.at(-1)}`)) continue
    if (link.app === app && link.isLive) await compareWallet(run, link)
    else await compareNoLink(run, app, serviceUserId)
  }
  await compareHolds(run, app, undefined, {})
  await compareLookUps(run, app, decisions)
  if (run.reads('list')) await compareList(run, app, decisions.filter(isPosted))
  if (run.reads('feed')) await compareFeed(run, app)
}

async function compareNoLink(run: Run, app: App, serviceUserId: string) {
  const expected = refuse(readWallet, 'USER_NOT_FOUND')
  const read = await run.sendAs(app, readWallet, { serviceUserId })
  const checked = await run.sendAs(app, checkBalance, { serviceUserId, requiredAmount: '1' })
  for (const each of [read, checked]) run.compare(each, expected, 'a user without a link')
}

async function compareWallet(run: Run, { app, wallet, serviceUserId }: Link) {
  const { balance, isActive, entries } = wallet
  const response = readJson(await run.sendAs(app, readWallet, { serviceUserId }))
  const { transactions: _, nextCursor: __, ...shown } = response
  const expected = { balance: toMajor(balance), currency: 'USD', isActive }
  run.bindings.match(shown, expected, 'wallet')
  const read: Read = (endpoint, fields) => run.sendAs(app, endpoint, fields)
  const page = { serviceUserId, limit: pageSize(run, entries.length) }
  const history = await readPages(read, readWallet, page, 'transactions')
  const newest = entries.filter(isShown).toReversed()
  run.bindings.match(
    history,
    newest.map((each) => showToApp(each, app)),
    `history of ${app.name}`,
  )
  const fields = { serviceUserId, requiredAmount: '1' }
  const spendable = readJson(await run.sendAs(app, checkBalance, fields))
  run.bindings.match(spendable, showSpendable(run.model, app, wallet, 100), 'check-balance')
  await compareHolds(run, app, wallet, { serviceUserId })
}

async function compareHolds(run: Run, app: App, wallet: Wallet | undefined, user: Fields) {
  const holds = run.model.holds(app, wallet).filter(isPosted)
  const all = [undefined, 'open', 'captured', 'released', 'expired']
  const states = wallet ? [run.plan.pageSize % 2 === 0 ? undefined : 'expired'] : all
  for (const state of states.filter((each) => run.reads(`holds ${each}`))) {
    const fields = { ...user, state, limit: pageSize(run, holds.length) }
    const read: Read = (endpoint, each) => run.sendAs(app, endpoint, each)
    const actual = await readPages(read, listHolds, fields, 'holds')
    const expected = holds.filter(
      (each) => state === undefined || state === stateOf(run.model, each),
    )
    matchByTime(
      run,
      actual,
      expected.map((each) => showHold(run.model, each)),
      `holds ${state}`,
    )
  }
}

/** Operations whose balance the app may not see are looked up in every plan, because there are few. */
async function compareLookUps(run: Run, app: App, decisions: readonly Decision[]) {
  const some = decisions.filter((_, at) => at < 6 || at > decisions.length - 14)
  const hidden = decisions.filter(({ entry, isBalanceHidden }) => entry && isBalanceHidden)
  const looked = new Set([...(run.reads('look-up') ? some : []), ...hidden.slice(-HIDDEN_MAX)])
  for (const each of looked) {
    const { referenceType, referenceId, type } = each
    const found = await run.sendAs(app, findOperation, { referenceType, referenceId })
    if (hidden.includes(each)) run.hit(`look-up of a ${type} without its balance`)
    run.bindings.match(readJson(found), showDecision(each), 'look-up')
  }
}

/** The list, a part of its days, and the exports of all months. */
async function compareList(run: Run, app: App, posted: readonly Posted[]) {
  const read: Read = (endpoint, fields) => run.sendAs(app, endpoint, fields)
  const limit = pageSize(run, posted.length)
  const all = await readPages(read, listOwnOperations, { limit }, 'operations')
  matchByTime(run, all, posted.map(showListed), 'list')
  const days = [...new Set(posted.map(dayOf))].toSorted()
  const [from, to] = [days[run.plan.reader % Math.max(1, days.length)], days.at(-1)]
  if (from === undefined) return
  const some = posted.filter((each) => dayOf(each) >= from)
  const listed = await readPages(read, listOwnOperations, { from, to, limit }, 'operations')
  matchByTime(run, listed, some.map(showListed), `list from ${from}`)
  for (const month of new Set(days.map((day) => day.slice(0, 7)))) {
    const { body } = await run.sendAs(app, exportOperations, { month })
    const lines = body.split('\n').filter((line) => line !== '')
    const exported = lines.map((line) => JSON.parse(line) as Item)
    const expected = posted.filter((each) => dayOf(each).startsWith(month))
    matchByTime(run, exported, expected.map(showListed), `export of ${month}`)
  }
}

/** In UTC. */
function dayOf({ atMs }: Decision): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

/** What the platform owes the app. */
export async function compareSettlement(run: Run, { clientId, owed, name }: App) {
  const shown = readJson(await run.askAsOperator(readClientApp, { clientId }))
  assert.equal(shown['settlement'], toMajor(owed), `settlement of ${name}`)
}

async function compareFeed(run: Run, app: App) {
  const found: Item[] = []
  for (let after: string | undefined; ;) {
    const limit = pageSize(run, app.events.length)
    const page = readJson(await run.sendAs(app, readEvents, { after, limit }))
    const events = page['events'] as Item[]
    if (events.length === 0) break
    found.push(...events)
    after = page['nextCursor'] as string
  }
  const numbers = found.map((each) => each['sequence'])
  assert.deepEqual(
    numbers,
    found.map((_, at) => at + 1),
    'numbers of events',
  )
  const shown = found.map(({ type, data }) => ({ type, data }))
  const expected = JSON.parse(JSON.stringify(app.events)) as Item[]
  assert.deepEqual(sortRuns(shown), sortRuns(expected), `feed of ${app.name}`)
  const types = ['link.ended', 'hold.expired']
  const some = readJson(await run.sendAs(app, readEvents, { types: types.join() }))
  assert.deepEqual(
    (some['events'] as Item[]).map(({ type }) => type),
    app.events.map(({ type }) => type).filter((type) => types.includes(type)),
    'events of some types',
  )
}

/** Events of one transaction have no order: several holds that expire together, several changed balances. */
function sortRuns(events: readonly Item[]): string[] {
  const runs: { type: unknown; texts: string[] }[] = []
  for (const event of events) {
    const text = JSON.stringify(event, sortFields)
    const last = runs.at(-1)
    if (last && last.type === event['type']) last.texts.push(text)
    else runs.push({ type: event['type'], texts: [text] })
  }
  return runs.flatMap(({ texts }) => texts.toSorted())
}

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, (value as Item)[name]]))
}
