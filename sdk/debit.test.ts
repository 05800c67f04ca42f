import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeClientApp, makeLinkedUser } from '../server/test/factories.ts'
import { movesNothing } from '../server/test/setup.ts'
import { newReference, openSdkSetup, thrownBy, type SdkSetup } from './test/sdk-setup.ts'

let setup: SdkSetup
before(async () => {
  setup = await openSdkSetup()
})
after(() => setup.end())

describe('debit and credit', () => {
  it('move money once per reference and report a replay', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const debit = { serviceUserId, amount: 19.99, ...newReference(), description: 'Two coffees' }
    const first = await coffer.debit(debit)
    const [entry] = (await coffer.wallet({ serviceUserId, limit: 1 })).transactions
    assert.deepEqual(first, {
      balance: 80.01,
      message: 'Debit completed.',
      currency: 'USD',
      transactionId: entry?.id,
      replayed: false,
    })
    assert.deepEqual(await coffer.debit(debit), { ...first, replayed: true })
    const credit = { serviceUserId, amount: '19.99', ...newReference() }
    assert.equal((await coffer.credit(credit)).balance, 100)
    const { transactions } = await coffer.wallet({ serviceUserId })
    assert.equal(transactions[1]?.description, 'Two coffees')
    assert.equal(transactions.length, 3)
  })

  it('INVALID_AMOUNT for an amount that would have to be rounded, as a number or a string', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    await movesNothing(setup.harness.admin, async () => {
      for (const amount of [
        0.1 + 0.2,
        1e21,
        1e-7,
        0,
        -1,
        NaN,
        Infinity,
        '1.234',
        '1e2',
        ' 1',
        '',
      ]) {
        const debit = coffer.debit({ serviceUserId, amount, ...newReference() })
        const error = await thrownBy(debit, 'INVALID_AMOUNT')
        assert.equal(error.field, 'amount')
        assert.match(error.message, /^Invalid amount\. The field amount .*must be /)
        if (amount === 0) continue
        const check = coffer.checkBalance({ serviceUserId, requiredAmount: amount })
        await thrownBy(check, 'INVALID_AMOUNT')
      }
    })
  })

  it('keep the largest amounts and balances exact', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const credit = { serviceUserId, amount: '999999999.99', ...newReference() }
    assert.equal((await coffer.credit(credit)).balance, 1000000099.99)
    const debit = { serviceUserId, amount: 999999999.99, ...newReference() }
    assert.equal((await coffer.debit(debit)).balance, 100)
  })

  it('INVALID_REQUEST with the name of the field', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const debit = { serviceUserId, amount: 1, referenceType: 'x'.repeat(65), referenceId: 'r' }
    const error = await thrownBy(coffer.debit(debit), 'INVALID_REQUEST')
    assert.equal(error.field, 'referenceType')
    assert.equal(error.status, 400)
  })

  it('PAYLOAD_TOO_LARGE', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const debit = { serviceUserId, amount: 1, ...newReference(), description: 'x'.repeat(20_000) }
    await thrownBy(coffer.debit(debit), 'PAYLOAD_TOO_LARGE')
  })

  it('INSUFFICIENT_BALANCE stays the outcome of the reference', async () => {
    const { coffer, serviceUserId } = await setup.addShop()
    const debit = { serviceUserId, amount: 100.01, ...newReference() }
    const error = await thrownBy(coffer.debit(debit), 'INSUFFICIENT_BALANCE')
    assert.match(error.message, /Use a new referenceId for a new attempt\.$/)
    await coffer.credit({ serviceUserId, amount: 50, ...newReference() })
    await thrownBy(coffer.debit(debit), 'INSUFFICIENT_BALANCE')
  })

  it('REPLAY_MISMATCH for a reference that was used with other fields, and nothing is executed', async () => {
    const { coffer, serviceUserId, app, harness } = await setup.addShop()
    const other = await makeLinkedUser(harness.context, app, 100_00n)
    const debit = { serviceUserId, amount: 10, ...newReference() }
    const { replayed: _, ...original } = await coffer.debit(debit)
    const changed = { ...debit, amount: 20, serviceUserId: other.serviceUserId }
    const error = await thrownBy(coffer.credit(changed), 'REPLAY_MISMATCH')
    assert.deepEqual(error.differs.toSorted(), ['amount', 'direction', 'serviceUserId'])
    assert.deepEqual(error.original, { status: 'posted', ...original })
    const { referenceType, referenceId } = debit
    assert.deepEqual(error.reference, { referenceType, referenceId })
    assert.equal((await coffer.wallet({ serviceUserId })).balance, 90)
    assert.equal((await coffer.wallet({ serviceUserId: other.serviceUserId })).balance, 100)
  })

  it('REPLAY_MISMATCH also if the app refuses repeats that differ', async () => {
    const { harness } = setup
    const app = await makeClientApp(harness.context, { onMismatch: 'conflict' })
    const { serviceUserId } = await makeLinkedUser(harness.context, app, 100_00n)
    const coffer = setup.as(app)
    const debit = { serviceUserId, amount: 10, ...newReference() }
    const { replayed: _, ...original } = await coffer.debit(debit)
    const error = await thrownBy(coffer.debit({ ...debit, amount: 20 }), 'REPLAY_MISMATCH')
    assert.deepEqual([error.status, error.differs], [409, ['amount']])
    assert.deepEqual(error.original, { status: 'posted', ...original })
    assert.equal((await coffer.debit(debit)).replayed, true)
    assert.equal((await coffer.wallet({ serviceUserId })).balance, 90)
  })
})
