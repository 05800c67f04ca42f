import { exportHistory as endpoint } from '@coffer/contract/account-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHistoryStage, payOften, read, WRONG_FILTERS } from '../test/history-setup.ts'
import * as refusals from '../test/refusals.ts'
import { ask, makePerson, type PersonStage } from '../test/account-setup.ts'

describe('GET /api/account/history.csv', () => {
  let stage: PersonStage
  before(async () => {
    stage = await openHistoryStage()
  })
  after(() => stage.harness.end())

  const fieldsOf = () => ({})

  it('200 writes the same entries as a file, safe to open in a spreadsheet', async () => {
    const response = await ask(stage, endpoint, { source: 'app' })
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
    const { transactions } = await read(stage, { source: 'app' })
    const [second, first, refund] = transactions.map(({ id, createdAt }) => ({ id, createdAt }))
    assert.deepEqual(lines, [
      `${second?.createdAt},debit,1.00,USD,63.50,app,Blumen Müller,'@SUM,order-2,,${second?.id}`,
      `${first?.createdAt},debit,5.50,USD,64.50,app,Corner shop,ORDER,order-1,"'=HYPERLINK(""x"")",${first?.id}`,
      `${refund?.createdAt},credit,20.00,USD,70.00,app,Corner shop,ORDER,refund-100%_a,Two teas,${refund?.id}`,
      '',
    ])
  })

  it('200 a header alone when nothing fits', async () => {
    const { body } = await ask(stage, endpoint, { search: 'nothing like it' })
    assert.equal(body.split('\r\n').length, 2)
  })

  it('200 goes on beyond a page, without a gap', async () => {
    const { harness } = stage
    const busy = await makePerson(harness, 1_000_00n)
    await payOften(stage, busy, 2_100)
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

  it('400 INVALID_REQUEST for filters that cannot be', () =>
    refusals.refusesFields(stage, endpoint, fieldsOf, WRONG_FILTERS))
})
