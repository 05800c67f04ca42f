import { exportHistory as endpoint } from '@coffer/contract/account/account'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHistorySetup, payOften, read, WRONG_FILTERS } from '../test/history-setup.ts'
import * as refusals from '../test/refusals.ts'
import { ask, makePerson, type PersonSetup } from '../test/account-setup.ts'

describe('GET /api/account/history.csv', () => {
  let setup: PersonSetup
  before(async () => {
    setup = await openHistorySetup()
  })
  after(() => setup.harness.end())

  const fieldsOf = () => ({})

  it('200 exports the same entries as a file that is safe to open in a spreadsheet', async () => {
    const response = await ask(setup, endpoint, { source: 'app' })
    assert.equal(response.statusCode, 200)
    assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8')
    const today = new Date().toISOString().slice(0, 10)
    assert.equal(
      response.headers['content-disposition'],
      `attachment; filename="wallet-history-${today}.csv"`,
    )
    assert.equal(response.headers['cache-control'], 'no-store')
    const [header, ...lines] = response.body.split('\r\n')
    assert.equal(
      header,
      '\uFEFFTime (UTC),Type,Amount,Currency,Balance after,Source,App,Reference type,Reference,Description,Id',
    )
    const { transactions } = await read(setup, { source: 'app' })
    const [second, first, refund] = transactions.map(({ id, createdAt }) => ({ id, createdAt }))
    assert.deepEqual(lines, [
      `${second?.createdAt},debit,1.00,USD,63.50,app,Blumen Müller,'@SUM,order-2,,${second?.id}`,
      `${first?.createdAt},debit,5.50,USD,64.50,app,Corner shop,ORDER,order-1,"'=HYPERLINK(""x"")",${first?.id}`,
      `${refund?.createdAt},credit,20.00,USD,70.00,app,Corner shop,ORDER,refund-100%_a,Two teas,${refund?.id}`,
      '',
    ])
  })

  it('200 exports the days of the time zone', async () => {
    const { harness } = setup
    const traveller = await makePerson(harness, 1_00n)
    await harness.admin.query('update ledger.operations set created_at = $2 where wallet_id = $1', [
      traveller.walletId,
      '2025-10-29T01:00:00Z',
    ])
    const count = async (timeZone: string) => {
      const day = { from: '2025-10-29', to: '2025-10-29', timeZone }
      const { body } = await ask({ harness, person: traveller }, endpoint, day)
      return body.split('\r\n').length - 2
    }
    assert.deepEqual([await count('UTC'), await count('America/Los_Angeles')], [1, 0])
  })

  it('200 exports only the header when nothing matches', async () => {
    const { body } = await ask(setup, endpoint, { search: 'nothing like it' })
    assert.equal(body.split('\r\n').length, 2)
  })

  it('200 exports more than one page without a gap', async () => {
    const { harness } = setup
    const busy = await makePerson(harness, 1_000_00n)
    await payOften(setup, busy, 2_100)
    const { body } = await ask({ harness, person: busy }, endpoint)
    const balances = body
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[4])
    assert.deepEqual(
      balances,
      Array.from({ length: 2_101 }, (_, n) => (1_000 - (2_100 - n) / 100).toFixed(2)),
    )
  })

  it('400 INVALID_REQUEST for invalid filters', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, WRONG_FILTERS))
})
