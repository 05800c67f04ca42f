import * as endpoints from '@coffer/contract/admin/client-apps'
import { debit, readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import {
  askAs,
  auditOf,
  openAdminSetup,
  outcomesOf,
  type AdminSetup,
} from '../../test/admin-setup.ts'
import { makeClientApp, makeLinkedUser } from '../../test/factories.ts'
import { changesNothing, assertRefusal, call } from '../../test/setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

let number = 0
function settings() {
  const origin = `https://shop${++number}.example`
  return {
    name: 'New shop',
    scopes: ['wallet:read'],
    allowedOrigins: [origin],
    allowedIframeParents: [origin],
    accentColor: '#0a7c66',
  }
}
const FAULTY: [string, unknown][] = [
  ['name', ''],
  ['scopes', ['wallet:own']],
  ['scopes', undefined],
  ['allowedOrigins', ['https://shop.example/']],
  ['allowedOrigins', ['https://*.example']],
  ['allowedIframeParents', ['http://shop.example']],
  ['allowedIframeParents', ['null']],
  ['allowedIframeParents', Array.from({ length: 51 }, (_, index) => `https://${index}.example`)],
  ['accentColor', 'red'],
  ['accentColor', undefined],
]

describe('POST /api/admin/client-apps', () => {
  const endpoint = endpoints.createClientApp
  const fieldsOf = () => ({ ...settings(), creditLimit: '250.50' })

  it('200 shows the credentials once, and they work', async () => {
    const { harness } = setup
    for (const creditLimit of ['50.50', '0.00']) {
      const fields = { ...fieldsOf(), creditLimit }
      const response = await askAs(setup, setup.operator, endpoint, fields)
      assert.equal(response.statusCode, 200, response.body)
      const app = response.json<{ clientId: string; clientSecret: string }>()
      const made = await harness.context.clientApps.find(app.clientId)
      assert(made)
      const user = await makeLinkedUser(harness.context, { ...app, id: made.id, ledgerAccount: 0 })
      const { serviceUserId } = user
      const wallet = await call(
        { harness, app: { ...app, id: made.id, ledgerAccount: 0 }, user },
        readWallet,
        {
          serviceUserId,
        },
      )
      assert.equal(wallet.statusCode, 200)
      const read = await askAs(setup, setup.viewer, endpoints.readClientApp, {
        clientId: app.clientId,
      })
      const shown = read.json()
      assert.equal(shown.creditLimit, Number(creditLimit))
      assert.equal(shown.waitingLimit, null)
      assert.deepEqual(shown.allowedIframeParents, fields.allowedIframeParents)
      const [entry, ...others] = await auditOf(setup, app.clientId)
      assert.deepEqual(others, [])
      assert.equal(entry?.action, 'client_app.create')
      assert.deepEqual(entry?.after, {
        ...fields,
        onMismatch: 'conflict',
        getsBalanceEvents: false,
        contactEmails: [],
      })
    }
  })

  it('409 ORIGIN_TAKEN for a parent page of another active app, also concurrently, unless sharesParents is true', async () => {
    const fields = fieldsOf()
    const create = (sharesParents?: boolean) =>
      askAs(setup, setup.operator, endpoint, { ...fields, sharesParents })
    const responses = await Promise.all([create(), create(), create()])
    assert.deepEqual(outcomesOf(responses), ['200', 'ORIGIN_TAKEN', 'ORIGIN_TAKEN'])
    assertRefusal(await create(), endpoint, 'ORIGIN_TAKEN')
    assertRefusal(await create(false), endpoint, 'ORIGIN_TAKEN')
    assert.equal((await create(true)).statusCode, 200)
  })

  it('400 INVALID_AMOUNT for an invalid credit limit', async () => {
    await changesNothing(setup, async () => {
      for (const creditLimit of ['1.234', '-1', '1e3', 'much', '']) {
        const fields = { ...fieldsOf(), creditLimit }
        const response = await askAs(setup, setup.operator, endpoint, fields)
        assertRefusal(response, endpoint, 'INVALID_AMOUNT')
      }
    })
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ...FAULTY,
      ['creditLimit', undefined],
      ['creditLimit', 5],
    ]))
})

describe('POST /api/admin/client-apps/change', () => {
  const endpoint = endpoints.changeClientApp
  const fieldsOf = ({ app }: AdminSetup) => ({ clientId: app.clientId, ...settings() })

  it('200 changes every setting in one request, and the audit log contains the old and new values', async () => {
    const { harness, operator } = setup
    const app = await makeClientApp(harness.context, { name: 'Before', creditLimit: 10_00n })
    const { clientId } = app
    const wanted = settings()
    const fields = { clientId, ...wanted, creditLimit: '20' }
    assert.equal((await askAs(setup, operator, endpoint, fields)).statusCode, 200)
    const read = await askAs(setup, setup.viewer, endpoints.readClientApp, { clientId })
    assert.equal(read.json().name, 'New shop')
    assert.equal(read.json().creditLimit, 20)
    const [change, limit] = await auditOf(setup, clientId)
    assert.equal(limit?.action, 'client_app.credit_limit')
    assert.deepEqual(limit?.before, { creditLimit: '10.00' })
    assert.deepEqual(limit?.after, { creditLimit: '20.00' })
    assert.equal(change?.action, 'client_app.change')
    assert.deepEqual(change?.before, {
      name: 'Before',
      scopes: ['wallet:read', 'wallet:write'],
      allowedOrigins: [],
      allowedIframeParents: [],
      accentColor: null,
      onMismatch: 'replay',
      getsBalanceEvents: false,
      contactEmails: [],
    })
    assert.deepEqual(change?.after, {
      ...wanted,
      onMismatch: 'replay',
      getsBalanceEvents: false,
      contactEmails: [],
    })
    const user = await makeLinkedUser(harness.context, app, 100n)
    const { serviceUserId } = user
    const reference = { referenceType: 'ORDER', referenceId: 'r-1', amount: 1 }
    const paid = await call({ harness, app, user }, debit, { serviceUserId, ...reference })
    assert.equal(paid.json().code, 'INSUFFICIENT_SCOPE')
  })

  it('200 changes what a repeat with other values gets only if the field is sent, also in use', async () => {
    const { context } = setup.harness
    const app = await makeClientApp(context, { contactEmails: ['dev@mismatch.example'] })
    await makeLinkedUser(context, app)
    const { clientId } = app
    const fields = { clientId, ...settings(), allowedOrigins: [], allowedIframeParents: [] }
    for (const [sent, expected] of [
      [undefined, 'replay'],
      ['conflict', 'conflict'],
      [undefined, 'conflict'],
      ['replay', 'replay'],
    ]) {
      const changed = await askAs(setup, setup.operator, endpoint, { ...fields, onMismatch: sent })
      assert.equal(changed.json<{ changesWait: boolean }>().changesWait, false)
      const read = await askAs(setup, setup.viewer, endpoints.readClientApp, { clientId })
      assert.equal(read.json<{ onMismatch: string }>().onMismatch, expected)
    }
  })

  it('200 changes whether the app gets balance.changed only if the field is sent, without a second operator', async () => {
    const { context, admin } = setup.harness
    const app = await makeClientApp(context)
    await makeLinkedUser(context, app)
    const { clientId } = app
    const origins = { allowedOrigins: [], allowedIframeParents: [] }
    const fields = {
      clientId,
      name: 'Shop',
      scopes: ['wallet:read'],
      ...origins,
      accentColor: null,
    }
    const starts: (Date | null)[] = []
    for (const [sent, expected] of [
      [undefined, false],
      [true, true],
      [undefined, true],
      [true, true],
      [false, false],
      [true, true],
    ]) {
      const wanted = { ...fields, getsBalanceEvents: sent }
      const changed = await askAs(setup, setup.operator, endpoint, wanted)
      assert.equal(changed.json<{ changesWait: boolean }>().changesWait, false)
      const read = await askAs(setup, setup.viewer, endpoints.readClientApp, { clientId })
      assert.equal(read.json<{ getsBalanceEvents: boolean }>().getsBalanceEvents, expected)
      const entry = (await auditOf(setup, clientId)).at(-1)
      assert.partialDeepStrictEqual(entry?.after, { getsBalanceEvents: expected })
      const { rows } = await admin.query<{ start: Date | null }>(
        'select balance_events_since as start from directory.client_apps where client_id = $1',
        [clientId],
      )
      starts.push(rows[0]?.start ?? null)
    }
    // Saving again does not start again, and enabling it again does.
    const [, first, second, third, off, last] = starts.map((start) => start?.getTime())
    assert.deepEqual([second, third, off], [first, first, undefined])
    assert((last ?? 0) > (first ?? 0))
  })

  it('409 ORIGIN_TAKEN for a parent page of another active app, but not for its own', async () => {
    const { harness, operator } = setup
    const taken = settings()
    await makeClientApp(harness.context, { allowedIframeParents: taken.allowedIframeParents })
    const { clientId } = await makeClientApp(harness.context)
    const change = (fields: object) => askAs(setup, operator, endpoint, { clientId, ...fields })
    assertRefusal(await change(taken), endpoint, 'ORIGIN_TAKEN')
    assert.equal((await change({ ...taken, sharesParents: true })).statusCode, 200)
    const own = settings()
    assert.equal((await change(own)).statusCode, 200)
    assert.equal((await change(own)).statusCode, 200)
  })

  it('404 NOT_FOUND for an unknown client app', async () => {
    const fields = { ...settings(), clientId: 'app_000000000000000000000000' }
    assertRefusal(await askAs(setup, setup.operator, endpoint, fields), endpoint, 'NOT_FOUND')
  })

  it('400 INVALID_AMOUNT for an invalid credit limit', async () => {
    await changesNothing(setup, async () => {
      for (const creditLimit of ['1.234', '-1', 'unlimited']) {
        const fields = { ...fieldsOf(setup), creditLimit }
        const response = await askAs(setup, setup.operator, endpoint, fields)
        assertRefusal(response, endpoint, 'INVALID_AMOUNT')
      }
    })
  })

  it('400 INVALID_REQUEST for a limit of an unlimited app, and for a limit below the used credit', async () => {
    const { harness, operator } = setup
    const unlimited = await makeClientApp(harness.context)
    const owing = await makeClientApp(harness.context, { creditLimit: 50_00n })
    const user = await makeLinkedUser(harness.context, owing)
    await harness.context.ledger.post({
      kind: 'credit',
      referenceType: 'GIFT',
      referenceId: 'g-1',
      walletId: user.walletId,
      amountMinor: 30_00n,
      counterAccount: owing.ledgerAccount,
      description: null,
    })
    await changesNothing(setup, async () => {
      for (const { clientId } of [unlimited, owing]) {
        const fields = { clientId, ...settings(), creditLimit: '29.99' }
        const response = await askAs(setup, operator, endpoint, fields)
        assertRefusal(response, endpoint, 'INVALID_REQUEST', 'creditLimit')
      }
    })
    const fields = { clientId: owing.clientId, ...settings(), creditLimit: '30' }
    assert.equal((await askAs(setup, operator, endpoint, fields)).statusCode, 200)
  })
})
