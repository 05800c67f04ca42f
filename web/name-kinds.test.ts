/** Every kind and every source of the contract has its text on every page. */
import { readHistory } from '@coffer/contract/account/account'
import { readPersonHistory } from '@coffer/contract/admin/people'
import { transaction } from '@coffer/contract/shapes'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  readFilter,
  SOURCES as FILTER_SOURCES,
  TYPES as FILTER_TYPES,
} from './account/history/filter.ts'
import { nameEntry } from './account/history/name-entry.ts'
import { de as accountDe } from './account/messages-de.ts'
import { en as accountEn } from './account/messages-en.ts'
import { OPERATION_KINDS, OTHER_KINDS } from './admin/kit/operation-kinds.ts'
import { POSTED_TITLES } from './admin/operations/summarize-decision.ts'
import { de as widgetDe } from './widget/messages-de.ts'
import { en as widgetEn } from './widget/messages-en.ts'
import { nameTransaction } from './widget/wallet/name-transaction.ts'

const KINDS = readPersonHistory.input.shape.kind.unwrap().options.toSorted()
const SOURCES = transaction.shape.source.options

type Source = (typeof SOURCES)[number]

/** The titles of entries without a description and a reference: widget and account, in English and German. */
const TITLES: Record<Source, [string, string, string, string]> = {
  this_app: ['Payment', 'Zahlung', 'Payment', 'Zahlung'],
  other_app: ['Other app', 'Andere App', 'Payment', 'Zahlung'],
  topup: ['Top-up', 'Aufladung', 'Top-up', 'Aufladung'],
  bonus: ['Bonus', 'Bonus', 'Bonus', 'Bonus'],
  dispute: ['Dispute', 'Rückbuchung', 'Dispute', 'Rückbuchung'],
  correction: ['Correction', 'Korrektur', 'Correction', 'Korrektur'],
  hold: ['Reserved', 'Reserviert', 'Reserved amount', 'Reservierter Betrag'],
}

function entryOf(source: Source, about: { description?: string; referenceType?: string } = {}) {
  return {
    id: 'txn_1',
    type: 'debit' as const,
    amount: 1,
    balanceAfter: 1,
    currency: 'USD',
    referenceType: null,
    referenceId: null,
    description: null,
    source,
    app: null,
    createdAt: '2026-01-31T12:00:00.000Z',
    ...about,
  }
}

type Entry = Omit<ReturnType<typeof entryOf>, 'type'> & { type: 'debit' | 'credit' }
const namesOf = (entry: Entry) => [
  nameTransaction(entry, widgetEn),
  nameTransaction(entry, widgetDe),
  nameEntry(entry, accountEn),
  nameEntry(entry, accountDe),
]

describe('the titles of entries', () => {
  for (const source of SOURCES) {
    it(`${source}: ${TITLES[source].join(', ')}`, () => {
      assert.deepEqual(namesOf(entryOf(source)), TITLES[source])
    })
  }

  it('include a separate title for a credit of an app in the account', () => {
    const credit = { ...entryOf('other_app'), type: 'credit' as const }
    assert.deepEqual(
      [nameEntry(credit, accountEn), nameEntry(credit, accountDe)],
      ['Credit', 'Gutschrift'],
    )
  })

  it('include a separate title for reserved money that returns', () => {
    const returned = { ...entryOf('hold'), type: 'credit' as const }
    assert.deepEqual(namesOf(returned), [
      'Released',
      'Freigegeben',
      'Reserved amount returned',
      'Reservierter Betrag freigegeben',
    ])
  })

  it('come from the client app only for operations of a client app', () => {
    for (const source of SOURCES) {
      const labelled = namesOf(entryOf(source, { description: ' Tea ', referenceType: 'BONUS' }))
      const [inWidget, , inAccount] = TITLES[source]
      const reserved = source === 'hold' ? `${inWidget}: Tea` : inWidget
      assert.equal(labelled[0], source === 'this_app' ? 'Tea' : reserved)
      assert.equal(labelled[2], source.endsWith('_app') ? 'Tea' : inAccount)
    }
    const unnamed = namesOf(entryOf('this_app', { referenceType: 'ORDER_PAYMENT' }))
    assert.deepEqual(new Set(unnamed), new Set(['Order payment']))
  })
})

describe('the filter of the history', () => {
  it('has every type and source of the contract, also if it is read from the URL', () => {
    const { type, source } = readHistory.input.shape
    const [types, sources] = [type.unwrap().options, source.unwrap().options]
    assert.deepEqual([FILTER_TYPES, FILTER_SOURCES], [types, sources])
    for (const each of types) assert.deepEqual(readFilter({ type: each }), { type: each })
    for (const each of sources) assert.deepEqual(readFilter({ source: each }), { source: each })
    assert.deepEqual(readFilter({ type: 'hold', source: 'debit', from: '2026-13-01' }), {})
  })
})

describe('the names of kinds in the admin area', () => {
  it('exist for histories and lookups', () => {
    assert.deepEqual(Object.keys(OPERATION_KINDS).toSorted(), KINDS)
    assert.deepEqual(Object.keys(POSTED_TITLES).toSorted(), KINDS)
    assert.equal(new Set(Object.values(OPERATION_KINDS)).size, KINDS.length)
  })

  it('exist for the overview, except for kinds with their own figures', () => {
    const others = KINDS.filter((kind) => !['debit', 'credit', 'topup'].includes(kind))
    assert.deepEqual(Object.keys(OTHER_KINDS).toSorted(), others)
  })
})
