import * as endpoints from '@coffer/contract/admin/grants'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { inTransaction } from '../../database/in-transaction.ts'
import { Ledger } from '../../ledger/ledger.ts'
import * as refusals from '../../test/refusals.ts'
import { askAs, auditOf, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { makeUser } from '../../test/factories.ts'
import {
  assertGrantBooks,
  balanceOf,
  countPosted,
  grantFields,
  propose,
  rowOf,
  subjectOf,
} from '../../test/grant-setup.ts'
import { changesNothing, assertRefusal } from '../../test/setup.ts'

describe('POST /api/admin/grants', () => {
  const endpoint = endpoints.proposeGrant
  let setup: AdminSetup
  before(async () => {
    setup = await openAdminSetup({ SECOND_OPERATOR_ABOVE: '999999999' })
  })
  after(async () => {
    await assertGrantBooks(setup)
    await setup.harness.end()
  })
  const fieldsOf = (on: AdminSetup) => grantFields(on)

  it('200 posts a bonus immediately, and the audit log contains operator, person, amount and reason', async () => {
    const { id, fields, ...response } = await propose(setup, setup.operator)
    assert.deepEqual(response, { status: 'posted', balance: 70, currency: 'USD', approvers: [] })
    assert.equal(await balanceOf(setup, fields['personId']), 70_00n)
    const entries = await auditOf(setup, subjectOf(fields))
    assert.deepEqual(entries, [
      {
        actor: setup.operator.email,
        action: 'grant.propose',
        address: '127.0.0.1',
        before: null,
        after: {
          grant: id,
          kind: 'bonus',
          amount: '20.00',
          reason: 'Paid twice, ticket 4711',
          needsSecondOperator: false,
        },
      },
    ])
  })

  it('200 posts corrections up and down, also on a frozen wallet, as entries of their own kind', async () => {
    const { context, admin } = setup.harness
    const user = await makeUser(context, 10_00n)
    await context.ledger.setWalletActive(user.walletId, false)
    const personId = String(user.id)
    const up = await propose(setup, setup.owner, { personId, kind: 'correction_in', amount: 2.5 })
    assert.equal(up.balance, 12.5)
    const out = { personId, kind: 'correction_out', amount: '12.50' }
    const down = await propose(setup, setup.owner, out)
    assert.equal(down.balance, 0)
    const { rows } = await admin.query(
      `select kind, amount, reference_type, reference_id, counter_account, description
        from ledger.operations where wallet_id = $1 and seq > 1 order by seq`,
      [user.walletId],
    )
    const shared = { reference_type: 'CORRECTION', counter_account: '3', description: null }
    assert.deepEqual(rows, [
      { kind: 'correction_in', amount: '250', reference_id: up.id, ...shared },
      { kind: 'correction_out', amount: '-1250', reference_id: down.id, ...shared },
    ])
  })

  it('200 creates one grant and returns the same response for a repeated id, also twenty times concurrently', async () => {
    const fields = await grantFields(setup)
    const calls = Array.from({ length: 20 }, () => askAs(setup, setup.operator, endpoint, fields))
    const responses = await Promise.all(calls)
    responses.push(await askAs(setup, setup.operator, endpoint, fields))
    const shouted = {
      ...fields,
      id: String(fields['id']).toUpperCase(),
      reason: ' Paid twice, ticket 4711',
    }
    responses.push(await askAs(setup, setup.operator, endpoint, shouted))
    for (const { statusCode, body } of responses) {
      assert.equal(statusCode, 200, body)
      assert.equal(body, responses[0]?.body)
    }
    assert.equal(await countPosted(setup, { id: String(fields['id']) }), 1)
    const entries = await auditOf(setup, subjectOf(fields))
    assert.equal(entries.length, 1)
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ['id', 'one'],
      ['id', undefined],
      ['personId', 'ada'],
      ['personId', 5],
      ['kind', 'debit'],
      ['kind', 'seizure'],
      ['reason', 'no'],
      ['reason', '     '],
      ['reason', 'x'.repeat(501)],
      ['reason', 'a\u0000bc'],
      ['reason', undefined],
    ]))

  it('400 INVALID_AMOUNT for zero, negative amounts, fractions of a cent and too large amounts', async () => {
    const fields = await grantFields(setup)
    await changesNothing(setup, async () => {
      for (const amount of ['0', '-1', '1.001', '1e3', 'ten', '', '1000000000', null, undefined]) {
        const response = await askAs(setup, setup.operator, endpoint, { ...fields, amount })
        assertRefusal(response, endpoint, 'INVALID_AMOUNT')
      }
    })
  })

  it('400 INSUFFICIENT_BALANCE for a correction below zero; the refusal is final and in the audit log', async () => {
    const fields = await grantFields(setup, { kind: 'correction_out', amount: '50.01' })
    const id = String(fields['id'])
    for (let times = 0; times < 2; times++) {
      const response = await askAs(setup, setup.operator, endpoint, fields)
      assertRefusal(response, endpoint, 'INSUFFICIENT_BALANCE')
    }
    const { status, refusal } = await rowOf(setup, { id })
    assert.deepEqual([status, refusal], ['refused', 'INSUFFICIENT_BALANCE'])
    assert.equal(await balanceOf(setup, fields['personId']), 50_00n)
    const entries = await auditOf(setup, subjectOf(fields))
    assert.deepEqual(
      entries.map(({ action, actor }) => [action, actor]),
      [
        ['grant.propose', setup.operator.email],
        ['grant.refuse', setup.operator.email],
      ],
    )
  })

  it('400 BALANCE_LIMIT for an amount above the maximum balance', async () => {
    const { context } = setup.harness
    const rich = await makeUser(context, 999_999_999_999_999n)
    const fields = await grantFields(setup, { personId: String(rich.id), amount: '0.01' })
    const response = await askAs(setup, setup.operator, endpoint, fields)
    assertRefusal(response, endpoint, 'BALANCE_LIMIT')
  })

  it('409 WALLET_CLOSED for an account that is deleted at the same time', async () => {
    const { context } = setup.harness
    const user = await makeUser(context)
    await inTransaction(context.db, (tx) => context.ledger.closeWallet(user.walletId, tx))
    const fields = await grantFields(setup, { personId: String(user.id) })
    assertRefusal(await askAs(setup, setup.operator, endpoint, fields), endpoint, 'WALLET_CLOSED')
  })

  it('404 NOT_FOUND for an unknown person and for a deleted account', async () => {
    const { context, admin } = setup.harness
    const gone = await makeUser(context)
    await admin.query('delete from directory.people where service_user_id = $1', [gone.id])
    for (const personId of ['0', '999999999', String(gone.id)]) {
      const fields = await grantFields(setup, { personId })
      await changesNothing(setup, async () => {
        const response = await askAs(setup, setup.operator, endpoint, fields)
        assertRefusal(response, endpoint, 'NOT_FOUND')
      })
    }
  })

  it('503 OUTCOME_UNKNOWN when the wallet is locked for too long; a retry returns the outcome', async () => {
    const { context, admin, databaseUrl } = setup.harness
    const usual = context.ledger
    const impatient = new Ledger({ databaseUrl, deadlineMs: 1_000 })
    const user = await makeUser(context)
    const fields = await grantFields(setup, { id: randomUUID(), personId: String(user.id) })
    await admin.query('begin')
    await admin.query('select from ledger.wallets where id = $1 for update', [user.walletId])
    try {
      context.ledger = impatient
      const response = await askAs(setup, setup.operator, endpoint, fields)
      assertRefusal(response, endpoint, 'OUTCOME_UNKNOWN')
    } finally {
      await admin.query('rollback')
      context.ledger = usual
    }
    const again = await askAs(setup, setup.operator, endpoint, fields)
    assert.equal(again.json<{ balance: number }>().balance, 20)
    await impatient.close()
    assert.equal(await countPosted(setup, { id: String(fields['id']) }), 1)
  })
})
