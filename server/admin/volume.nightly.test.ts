/** Every read request of operators in a large deployment: fast, and by indexes. */
import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import { ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { askAs, openAdminSetup, type AdminSetup } from '../test/admin-setup.ts'
import { rebuildTotals } from '../test/books-setup.ts'
import { BUSY_APP, fillVolume, volumeApp } from '../test/fill-volume.ts'
import type { Fields } from '../test/setup.ts'

type Name = keyof typeof ADMIN_ENDPOINTS
const OTHER_APP = volumeApp(777)
/** Created by fill-volume.ts. */
const LINK_OF_THE_LAST = `su_${hash('md5', '100000 link')}`
const FIRST_TOPUP = hash('md5', '1 topup').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const DELIVERIES = { clientId: BUSY_APP, webhookId: `wh_${hash('md5', `${BUSY_APP} webhook`)}` }
const ANSWER_MS = 200
const LAST_MONTH = {
  from: new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10),
  to: new Date().toISOString().slice(0, 10),
}

/** Every read endpoint with typical searches; exports have separate tests. */
const READS: Partial<Record<Name, Fields[]>> = {
  readOperator: [{}],
  readSignIn: [{}],
  readSwitches: [{}],
  readKeys: [{}],
  listGrants: [{}, { state: 'waiting' }, { search: 'nobody at all' }],
  listOperators: [{}],
  readOverview: [{ period: '24h' }, { period: '7d' }, { period: '30d' }, { period: '90d' }],
  readStatement: [{ clientId: BUSY_APP, ...LAST_MONTH }],
  listClientApps: [{}, { search: 'shop 77' }, { search: 'no such app' }, { state: 'active' }],
  readClientApp: [{ clientId: BUSY_APP }],
  listPeople: [
    {},
    { search: 'ada' },
    { search: 'grace surname7' },
    { search: 'person' },
    { search: 'person77@mail27.example' },
    { search: 'nobody at all' },
    { search: LINK_OF_THE_LAST },
    { state: 'frozen' },
    { state: 'frozen', search: 'ada' },
  ],
  readPerson: [{ id: '1' }, { id: '100000' }],
  readPersonHistory: [
    { id: '1' },
    { id: '1', search: '1-77' },
    { id: '1', search: 'nothing like it' },
    { id: '1', kind: 'bonus' },
    { id: '1', clientId: BUSY_APP, type: 'debit' },
    { id: '1', to: '2020-01-01' },
    { id: '77' },
  ],
  lookUpOperation: [
    { clientId: BUSY_APP, referenceType: 'ORDER_PAYMENT', referenceId: '1-77' },
    { referenceType: 'TOPUP', referenceId: '1-1' },
    { referenceType: 'TOPUP', referenceId: 'never' },
  ],
  listOperations: [
    {},
    { clientId: BUSY_APP },
    { clientId: OTHER_APP },
    { kind: 'topup' },
    { kind: 'correction_in' },
    { type: 'credit' },
    { minAmount: '1000' },
    { minAmount: '999999' },
    { clientId: OTHER_APP, minAmount: '999999' },
    { from: `${LAST_MONTH.from}T00:00`, to: `${LAST_MONTH.from}T12:00` },
  ],
  listTopups: [
    {},
    { state: 'open' },
    { state: 'ended' },
    { having: 'refund' },
    { having: 'dispute' },
    { clientId: BUSY_APP, state: 'credited' },
    { personId: '77' },
    { search: `pi_${hash('md5', '77')}` },
    { search: 'person77@mail27.example' },
    { search: 'nothing' },
    LAST_MONTH,
  ],
  readTopup: [{ id: FIRST_TOPUP }],
  listWebhooks: [{ clientId: BUSY_APP }],
  listDeliveries: [
    DELIVERIES,
    { ...DELIVERIES, state: 'delivered' },
    { ...DELIVERIES, state: 'waiting' },
    { ...DELIVERIES, state: 'failed' },
  ],
  readAudit: [
    {},
    { search: 'operator7@example.com' },
    { search: 'nobody at all' },
    { from: '2026-01-01', to: '2026-12-31' },
  ],
}

describe('with 1 000 client apps, 100 000 people and 1 million operations', () => {
  let setup: AdminSetup
  before(async () => {
    setup = await openAdminSetup()
    await fillVolume(setup.harness.admin)
    await rebuildTotals(setup.harness)
  })
  after(() => setup.harness.end())

  it('the table contains every read endpoint', () => {
    const reads = Object.entries(ADMIN_ENDPOINTS).filter(
      ([, { method, path }]) =>
        method === 'GET' && !path.endsWith('.csv') && !path.includes('passkey'),
    )
    assert.deepEqual(Object.keys(READS).toSorted(), reads.map(([name]) => name).toSorted())
  })

  for (const [name, searches] of Object.entries(READS)) {
    it(`${name}: in less than ${ANSWER_MS} ms, without a sequential scan of a large table`, async () => {
      const endpoint: AdminEndpoint = ADMIN_ENDPOINTS[name as Name]
      for (const fields of searches) {
        const about = `${name} ${JSON.stringify(fields)}`
        const times: number[] = []
        for (let round = 0; round < 3; round++) {
          const startMs = performance.now()
          const response = await askAs(setup, setup.owner, endpoint, fields)
          times.push(performance.now() - startMs)
          assert.equal(response.statusCode, 200, `${about} ${response.body}`)
        }
        // The machine may be busy with something else; the best of three is the time of the service.
        assert(
          Math.min(...times) < ANSWER_MS,
          `${about} took ${times.map(Math.round).join(', ')} ms`,
        )
        const plans = await explainWhile(() => askAs(setup, setup.owner, endpoint, fields))
        assert(plans.length > 0)
        for (const plan of plans) assert.doesNotMatch(plan, LARGE_SCAN, about)
      }
    })
  }
})

const LARGE_SCAN =
  /Seq Scan on (operations\w*|operation_keys|wallets|people|service_users|links|topups|refunds|audit)\b/

/** Explains every statement that is sent during `act`, on the connection that sends it. */
async function explainWhile(act: () => Promise<unknown>): Promise<string[]> {
  const plans: Promise<string>[] = []
  type Query = (this: pg.Client, ...parameters: unknown[]) => unknown
  const sent = Reflect.get(pg.Client.prototype, 'query') as Query
  function explainAndSend(this: pg.Client, ...parameters: unknown[]) {
    const [first, second] = parameters
    const isConfig = typeof first === 'object' && first !== null && 'text' in first
    const config = (isConfig ? first : { text: first, values: second }) as pg.QueryConfig
    if (/^\s*(select|with)\b/i.test(config.text)) {
      const values = Array.isArray(config.values) ? config.values : []
      const pending = sent.call(this, `explain ${config.text}`, values) as Promise<pg.QueryResult>
      plans.push(pending.then(({ rows }) => rows.map((row) => row['QUERY PLAN']).join('\n')))
    }
    return sent.call(this, ...parameters)
  }
  Reflect.set(pg.Client.prototype, 'query', explainAndSend)
  try {
    await act()
    return await Promise.all(plans)
  } finally {
    Reflect.set(pg.Client.prototype, 'query', sent)
  }
}
