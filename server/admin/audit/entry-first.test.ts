/** No change by an operator and no read of personal data happens if its audit entry cannot be written. */
import { exportAudit } from '@coffer/contract/admin/audit'
import { ADMIN_ENDPOINTS, ADMIN_SIGN_IN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import * as people from '@coffer/contract/admin/people'
import * as switches from '@coffer/contract/admin/switches'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { askAs } from '../../test/admin-setup.ts'
import { isAdminEndpoint } from '../../test/contract-endpoints.ts'
import {
  openContractService,
  requestOf,
  send,
  withOwnCaller,
  type ContractService,
} from '../../test/contract-service.ts'
import { changesNothing, findChanges } from '../../test/setup.ts'
import { AUDITED_CHANGES, NOT_AUDITED } from '../../test/tables/audited-changes.ts'
import { makeUser } from '../../test/factories.ts'

const ALL: Readonly<Record<string, Endpoint>> = { ...ADMIN_SIGN_IN_ENDPOINTS, ...ADMIN_ENDPOINTS }
const AUDIT_TABLES = ['admin.audit', 'admin.audit_chain']

let normal: ContractService
before(async () => {
  // The origin of the passkeys of the tests.
  normal = await openContractService({ PUBLIC_URL: 'http://localhost', VERIFY_PERCENT: '0' })
  await normal.harness.admin.query(`
    create function admin.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before insert on admin.audit for each row execute function admin.refuse();
    create trigger refuse before insert on admin.audit_chain for each row execute function admin.refuse();
    alter table admin.audit disable trigger refuse;
    alter table admin.audit_chain disable trigger refuse`)
})
after(() => normal.close())

async function refusing<Result>(table: string, act: () => Promise<Result>): Promise<Result> {
  const { admin } = normal.harness
  await admin.query(`alter table ${table} enable trigger refuse`)
  try {
    return await act()
  } finally {
    await admin.query(`alter table ${table} disable trigger refuse`)
  }
}

function assertFailed({ statusCode, body }: LightMyRequestResponse) {
  assert.equal(statusCode, 500, body)
}

describe('if the audit entry cannot be written', () => {
  it('every endpoint that changes something has a row, or a reason not to have one', () => {
    const changing = Object.keys(ALL).filter((name) => ALL[name]?.method !== 'GET')
    const rows = [...Object.keys(AUDITED_CHANGES), ...Object.keys(NOT_AUDITED)]
    assert.deepEqual(rows.toSorted(), changing.toSorted())
  })

  for (const [name, { makeInput, except, onlySends = false }] of Object.entries(AUDITED_CHANGES)) {
    const endpoint = ALL[name] as Endpoint
    it(`500 ${endpoint.method} ${endpoint.path} changes nothing`, async () => {
      const service = isAdminEndpoint(endpoint) ? await withOwnCaller(normal, endpoint) : normal
      const { harness, sandbox } = service
      const attempt = async () => {
        const request = requestOf(service, endpoint, await makeInput(service))
        return () => send(service, endpoint, request)
      }
      const refused = await attempt()
      const refunds = sandbox.state.refunds.size
      // Refused at the commit, so that a change on another connection is noticed, whatever the order is.
      await refusing('admin.audit_chain', () =>
        changesNothing({ harness }, async () => assertFailed(await refused()), Object.keys(except)),
      )
      assert.equal(sandbox.state.refunds.size, refunds)
      // The same request does change something if the entry can be written.
      const accepted = await attempt()
      const changed = await findChanges({ harness }, async () => {
        const response = await accepted()
        assert.equal(response.statusCode, 200, response.body)
      })
      for (const table of AUDIT_TABLES) assert(changed.includes(table), table)
      const others = changed.filter((table) => !AUDIT_TABLES.includes(table) && !(table in except))
      assert.equal(others.length === 0, onlySends)
    })
  }

  it('500 changes nothing if the entry is refused when it is inserted', async () => {
    const { harness } = normal
    const pause = { isPaused: true, reason: 'Strange debits, ticket 4711' }
    const ask = () => askAs(normal, normal.owner, switches.pauseWrites, pause)
    await harness.context.ledger.setPause(null)
    await refusing('admin.audit', () =>
      changesNothing(normal, async () => assertFailed(await ask())),
    )
    assert.equal(await harness.context.ledger.readPause(), null)
  })

  const READS = [
    people.listPeople,
    people.readPerson,
    people.readPersonHistory,
    people.exportPersonHistory,
    exportAudit,
  ]
  for (const endpoint of READS) {
    it(`500 ${endpoint.method} ${endpoint.path} returns nothing`, async () => {
      const { harness, viewer } = normal
      const id = String((await makeUser(harness.context)).id)
      const fields = 'id' in endpoint.input.shape ? { id } : {}
      const read = () => askAs(normal, viewer, endpoint, fields)
      const response = await refusing('admin.audit', read)
      assertFailed(response)
      assert.deepEqual(Object.keys(response.json<object>()), ['error', 'code'])
      assert.equal((await read()).statusCode, 200)
    })
  }
})
