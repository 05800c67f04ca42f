/** A person with six entries, made by two client apps and by the service itself. */
import { credit, debit } from '@coffer/contract/server/wallet'
import { readHistory } from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { link } from '../identity/link.ts'
import { makeClientApp, type TestApp } from './factories.ts'
import {
  ask,
  makePerson,
  openPersonSetup,
  type PersonSetup,
  type TestPerson,
} from './account-setup.ts'
import { call, type Fields } from './setup.ts'

export interface HistoryEntry extends Record<string, unknown> {
  id: string
  referenceId: string
  createdAt: string
}

/** Invalid filters. */
export const WRONG_FILTERS: readonly [string, unknown][] = [
  ['search', 'x'.repeat(101)],
  ['search', 'a\u0000'],
  ['search', ['a', 'b']],
  ['type', 'topup'],
  ['source', 'other_app'],
  ['from', 'yesterday'],
  ['from', '2026-02-30'],
  ['to', '2026-1-1'],
  ['to', '2026-01-01T00:00:00Z'],
]

export async function openHistorySetup(): Promise<PersonSetup> {
  const setup = await openPersonSetup()
  const { harness, app } = setup
  const { context } = harness
  const person = await makePerson(harness, 50_00n)
  const other = await makeClientApp(context, { name: 'Blumen Müller' })

  async function move(by: TestApp, endpoint: typeof credit | typeof debit, fields: Fields) {
    const serviceUserId = await link(context.db, by.id, person.id)
    const all = { serviceUserId, referenceType: 'ORDER', ...fields }
    const response = await call({ ...setup, app: by, user: setup.person }, endpoint, all)
    assert.equal(response.statusCode, 200, response.body)
    return serviceUserId
  }
  const refund = { amount: 20, referenceId: 'refund-100%_a', description: 'Two teas' }
  const serviceUserId = await move(app, credit, refund)
  const formula = { amount: 5.5, referenceId: 'order-1', description: '=HYPERLINK("x")' }
  await move(app, debit, formula)
  await move(other, debit, { amount: 1, referenceType: '@SUM', referenceId: 'order-2' })
  for (const kind of ['topup', 'seizure'] as const) {
    await context.ledger.post({
      kind,
      referenceType: kind.toUpperCase(),
      referenceId: `pi_${kind}`,
      walletId: person.walletId,
      amountMinor: 3_00n,
      counterAccount: 1,
      description: null,
    })
  }
  return { harness, app, person: { ...person, serviceUserId } }
}

/** Posts this many debits of one cent, the newest last. */
export async function payOften({ harness, app }: PersonSetup, person: TestPerson, count: number) {
  for (let done = 0; done < count; done += 500) {
    const debits = Array.from({ length: Math.min(500, count - done) }, (_, n) =>
      harness.context.ledger.post({
        kind: 'debit',
        referenceType: 'N',
        referenceId: `n-${done + n}-${person.id}`,
        walletId: person.walletId,
        amountMinor: 1n,
        counterAccount: app.ledgerAccount,
        description: 'a, "b"',
      }),
    )
    await Promise.all(debits)
  }
}

export async function read(
  setup: PersonSetup,
  fields: Fields = {},
  person: TestPerson = setup.person,
) {
  const response = await ask({ ...setup, person }, readHistory, fields)
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ transactions: HistoryEntry[]; nextCursor: string | null }>()
}
