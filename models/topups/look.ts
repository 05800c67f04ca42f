/** What the person, the widget and the operators must see, and what the books must contain. */
import { readAccount, readHistory } from '@coffer/contract/account/account'
import { readAutomaticTopup } from '@coffer/contract/account/automatic-topup'
import { listCards } from '@coffer/contract/account/cards'
import { listTopups, readTopup } from '@coffer/contract/admin/topups'
import { readWidgetWallet } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { listEntries, type BookEntry } from './books.ts'
import { refundableOf, type Model } from './model.ts'
import type { Observer } from './observe.ts'
import { movedBy, type SavedCard } from './processor.ts'
import { askOperator, type Service, type TestPayer } from './service.ts'
import { LIMITS, type Entry, type Person, type Topup } from './state.ts'

export interface BothSides {
  service: Service
  model: Model
  payers: readonly TestPayer[]
  observer: Observer
  cardIds: ReadonlyMap<SavedCard, string>
}

type Json = Record<string, unknown>

const TOLERANCE_MS = 60_000
const SOURCES = {
  topup: 'topup',
  card_refund: 'topup',
  seizure: 'dispute',
  reversal: 'dispute',
} as const
const OUTGOING: readonly string[] = ['debit', 'card_refund', 'seizure']

export async function compareViews(sides: BothSides) {
  const { model } = sides
  for (const person of model.people) {
    const entries = await listEntries(sides.service, payerOf(sides, person).walletId)
    compareEntries(sides, person, entries)
    if (!person.isDeleted) await compareAccount(sides, person, entries)
    if (!person.areLinksEnded) await compareWidget(sides, person, entries)
    await compareList(sides, person)
  }
  for (const topup of model.topups) await compareTopup(sides, topup)
}

function payerOf({ payers }: BothSides, { index }: Person): TestPayer {
  return payers[index] as TestPayer
}

/** Fields that the model does not know are not compared. */
function match(actual: unknown, expected: Json, what: string) {
  const seen = Object.fromEntries(
    Object.keys(expected).map((name) => [name, (actual as Json)[name]]),
  )
  assert.deepEqual(seen, expected, what)
}

/** Every movement of the model once, each with the split between balance and debt that its order implies. */
function compareEntries(sides: BothSides, person: Person, entries: readonly BookEntry[]) {
  const own = entries.filter(({ kind }) => kind !== 'correction_out')
  const name = ({ kind, gross, reference }: Pick<BookEntry, 'kind' | 'gross' | 'reference'>) =>
    `${kind} ${gross} ${reference}`
  const expected = person.entries.map((entry) =>
    name({ kind: entry.kind, gross: entry.amount, reference: referenceOf(sides, entry) }),
  )
  assert.deepEqual(
    own.map(name).toSorted(),
    expected.toSorted(),
    `entries of person ${person.index}`,
  )
  let [balance, debt] = [0, 0]
  for (const entry of entries) {
    const net = balance - debt + (OUTGOING.includes(entry.kind) ? -entry.gross : entry.gross)
    const isMoved = entry.kind === 'correction_out'
    const after = isMoved
      ? { balance: 0, debt }
      : { balance: Math.max(net, 0), debt: Math.max(-net, 0) }
    assert.deepEqual(entry.after, after, `after ${name(entry)}`)
    ;({ balance, debt } = after)
  }
}

/** The id under which a movement is in the books: that of the payment, the refund, or the processor's entry. */
function referenceOf({ observer, model, service }: BothSides, { kind, key }: Entry): string {
  const [what, index] = key.split(' ')
  const topup = model.topups[Number(index)]
  if (!topup) return key
  if (what === 'pay') return observer.intentId(topup)
  const about = observer.intentId(topup)
  const disputes = [...service.sandbox.state.disputes.values()]
  const dispute = disputes.find(({ payment_intent: intentId }) => intentId === about)
  const isOut = kind === 'seizure'
  const entry = dispute?.balance_transactions.find(({ amount }) => amount < 0 === isOut)
  return entry?.id ?? assert.fail('the processor has no entry of this dispute')
}

async function compareAccount(sides: BothSides, person: Person, entries: readonly BookEntry[]) {
  const payer = payerOf(sides, person)
  const account = (await payer.askAccount(readAccount)).json<Json>()
  const { isActive } = person
  const wallet = { balance: person.balance / 100, debt: person.debt / 100, held: 0, isActive }
  match(account, wallet, 'wallet at /account')
  const cards = (await payer.askAccount(listCards)).json<{ cards: unknown[] }>()
  compareCards(sides, person, cards.cards)
  compareAutomatic(sides, person, (await payer.askAccount(readAutomaticTopup)).json<Json>())
  const history = (await payer.askAccount(readHistory)).json<{ transactions: unknown[] }>()
  compareHistory(history.transactions, entries, 50, 'other_app')
}

async function compareWidget(sides: BothSides, person: Person, entries: readonly BookEntry[]) {
  const payer = payerOf(sides, person)
  for (const app of [0, 1]) {
    const session = await payer.findSession(app, false)
    assert(session)
    const wallet = (await payer.askWidget(session, readWidgetWallet)).json<Json>()
    match(
      wallet,
      { balance: person.balance / 100, isActive: person.isActive },
      'wallet in the widget',
    )
    const source = app === 0 ? 'this_app' : 'other_app'
    compareHistory(wallet['transactions'] as unknown[], entries, 10, source)
  }
}

function compareHistory(
  seen: unknown[],
  entries: readonly BookEntry[],
  most: number,
  debitSource: string,
) {
  const newest = entries.toReversed().slice(0, most)
  assert.equal(seen.length, newest.length, 'number of entries')
  for (const [index, { kind, change, after }] of newest.entries()) {
    const source = SOURCES[kind as keyof typeof SOURCES] ?? debitSource
    const type = OUTGOING.includes(kind) ? 'debit' : 'credit'
    const amounts = { amount: Math.abs(change) / 100, balanceAfter: after.balance / 100 }
    match(seen[index], { type, source, ...amounts }, `entry ${index}`)
  }
}

/** The default card first, then the newest; a card that was saved twice once, as its newest copy. */
export function compareCards({ cardIds }: BothSides, { cards }: Person, seen: unknown[]) {
  const newest = cards.toReversed().filter(({ isGone }) => !isGone)
  const shown = newest.filter(
    (card, at) => newest.findIndex((each) => each.card === card.card) === at,
  )
  const expected = shown.map((card) => ({
    id: cardIds.get(card),
    isDefault: newest.some((each) => each.card === card.card && each.isDefault),
  }))
  expected.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
  assert.equal(seen.length, expected.length, 'number of cards')
  for (const [index, card] of expected.entries()) match(seen[index], card, `card ${index}`)
}

function compareAutomatic({ cardIds }: BothSides, { automatic }: Person, seen: Json) {
  const bounds = { minAmount: LIMITS.min / 100, maxAmount: LIMITS.max / 100 }
  match(seen, bounds, 'bounds of automatic top-ups')
  if (!automatic) return assert.equal(seen['automaticTopup'], null, 'automatic top-up')
  const { threshold, amount, monthMax, timeZone, card, suspendedFor } = automatic
  const amounts = { threshold: threshold / 100, amount: amount / 100, monthMax: monthMax / 100 }
  const expected = { ...amounts, timeZone, cardId: cardIds.get(card), suspendedFor }
  match(seen['automaticTopup'], expected, 'automatic top-up')
}

async function compareList(sides: BothSides, person: Person) {
  const { service, model, observer } = sides
  const own = model.topups.filter((topup) => topup.person === person).toReversed()
  const personId = String(payerOf(sides, person).id)
  const filters = [
    { filter: {}, fits: () => true },
    { filter: { state: 'open' }, fits: ({ state }: Topup) => state === 'open' },
    { filter: { having: 'refund' }, fits: ({ refunds }: Topup) => refunds.length > 0 },
    { filter: { having: 'dispute' }, fits: ({ disputeStatus }: Topup) => disputeStatus !== null },
  ]
  for (const { filter, fits } of filters) {
    const response = await askOperator(service, listTopups, { personId, ...filter })
    assert.equal(response.statusCode, 200, response.body)
    const { topups } = response.json<{ topups: Json[] }>()
    const expected = own.filter(fits).slice(0, 50)
    const ids = expected.map((topup) => observer.rowId(topup))
    assert.deepEqual(
      topups.map(({ id }) => id),
      ids,
      `list of top-ups ${JSON.stringify(filter)}`,
    )
    for (const [index, topup] of expected.entries())
      match(topups[index], listed(sides, topup), 'listed top-up')
  }
}

function listed({ observer }: BothSides, topup: Topup): Json {
  const { state, amount, refunds, isAutomatic, isBound, disputeStatus } = topup
  const kept = refunds.filter((refund) => refund.state === 'reserved' || refund.state === 'sent')
  return {
    state,
    amount: amount / 100,
    refunded: kept.reduce((sum, refund) => sum + refund.amount, 0) / 100,
    disputeStatus,
    isAutomatic,
    intentId: isBound ? observer.intentId(topup) : null,
  }
}

async function compareTopup(sides: BothSides, topup: Topup) {
  const { service, observer } = sides
  const { person, state, reportedBy, isAutomatic, nextCheckMs } = topup
  const response = await askOperator(service, readTopup, { id: observer.rowId(topup) })
  const seen = response.json<Json>()
  const what = `top-up ${topup.index} for operators`
  match(
    seen,
    { ...listed(sides, topup), refundable: refundableOf(topup) / 100, refusal: null },
    what,
  )
  if (reportedBy || state !== 'credited') match(seen, { reportedBy }, what)
  if (!person.isDeleted) {
    const wallet = {
      balance: person.balance / 100,
      debt: person.debt / 100,
      isActive: person.isActive,
    }
    match(seen['wallet'], wallet, `wallet of ${what}`)
  }
  if (state !== 'open') assert.equal(seen['nextCheckAt'], null)
  else
    compareTime(
      seen['nextCheckAt'],
      nextCheckMs,
      `next check of ${what}${isAutomatic ? ' (automatic)' : ''}`,
    )
  compareRefunds(topup, seen['refunds'] as Json[])
  const disputes = seen['disputes'] as Json[]
  const dispute = topup.disputeStatus === null ? undefined : topup.intent?.dispute
  assert.equal(disputes.length, dispute ? 1 : 0, `disputes of ${what}`)
  if (dispute)
    match(disputes[0], { status: topup.disputeStatus, amount: dispute.amount / 100 }, what)
}

function compareRefunds({ refunds }: Topup, seen: Json[]) {
  assert.equal(seen.length, refunds.length, 'number of refunds')
  for (const refund of refunds) {
    const { key, amount, state, isMadeAtProcessor } = refund
    const found = seen.find((each) => each[isMadeAtProcessor ? 'processorId' : 'id'] === key)
    assert(found, 'an operator sees each refund')
    match(found, { state, amount: amount / 100, isMadeAtProcessor }, 'refund')
    if (state === 'reserved')
      compareTime(found['nextCheckAt'], refund.nextCheckMs, 'next check of a refund')
  }
}

function compareTime(seen: unknown, expectedMs: number, what: string) {
  const differenceMs = Date.parse(String(seen)) - expectedMs
  assert(
    Math.abs(differenceMs) < TOLERANCE_MS,
    `${what}: ${String(seen)} is off by ${differenceMs} ms`,
  )
}

/** When nothing is open: the processor has moved what the books say, and the service knows every fee. */
export async function compareBooks({ service, model, payers, observer }: BothSides) {
  for (const person of model.people) {
    const entries = await listEntries(service, (payers[person.index] as TestPayer).walletId)
    const booked = entries.filter(({ isOfProcessor }) => isOfProcessor)
    const own = model.topups.filter((topup) => topup.person === person && topup.intent)
    const moved = own.reduce((sum, { intent }) => sum + (intent ? movedBy(intent) : 0), 0)
    assert.equal(
      booked.reduce((sum, { net }) => sum + net, 0),
      moved,
      'sum in the books',
    )
  }
  const { balanceTransactions } = service.sandbox.state
  const all = [...balanceTransactions.values()]
  const total = model.topups.reduce((sum, { intent }) => sum + (intent ? movedBy(intent) : 0), 0)
  assert.equal(
    all.reduce((sum, { amount }) => sum + amount, 0),
    total,
    'sum at the processor',
  )
  const { rows } = await service.harness.admin.query<{ id: string; amount: string }>(
    'select id, amount from directory.processor_fees where topup_id = any($1::uuid[]) order by id',
    [model.topups.map((topup) => observer.rowId(topup))],
  )
  const fees = all
    .filter(({ type }) => type !== 'refund_failure')
    .map(({ id, fee }) => ({ id, amount: fee }))
  const seen = rows.map(({ id, amount }) => ({ id, amount: Number(amount) }))
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  assert.deepEqual(seen.toSorted(byId), fees.toSorted(byId), 'fees')
}
