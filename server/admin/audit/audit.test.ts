import * as auditEndpoints from '@coffer/contract/admin/audit'
import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as refusals from '../../test/refusals.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'

let setup: AdminSetup
before(async () => {
  setup = await openAdminSetup()
})
after(() => setup.harness.end())

interface Page {
  entries: { id: string; at: string; actor: string; action: string; subject: string }[]
  nextCursor: string | null
}
const FAULTY: [string, unknown][] = [
  ['search', 'a\u0000'],
  ['search', 'x'.repeat(101)],
  ['from', 'yesterday'],
  ['from', '0000-01-01'],
  ['to', '2026-02-30'],
]

/** Entries of one subject, one minute apart, going back from a day in the past. */
async function plant(subject: string, count: number, day = '2020-01-31') {
  await setup.harness.admin.query(
    `insert into admin.audit (at, actor, action, subject)
     select $2::timestamptz - make_interval(mins => n), 'planter@example.com', 'test.plant', $1
     from generate_series(1, $3::int) n`,
    [subject, `${day}T12:00:00Z`, count],
  )
}

describe('GET /api/admin/audit', () => {
  const endpoint = auditEndpoints.readAudit
  const fieldsOf = () => ({})
  const read = async (fields: Record<string, string> = {}) =>
    (await askAs(setup, setup.viewer, endpoint, fields)).json<Page>()

  it('200 returns operator, address, and the values before and after, newest first', async () => {
    const { clientId } = setup.app
    await askAs(setup, setup.operator, clientAppsEndpoints.activateClientApp, {
      clientId,
      isActive: true,
    })
    const { entries } = await read()
    const { id, at, ...others } = entries[0] ?? assert.fail()
    assert.match(id, /^\d+$/)
    assert(Math.abs(Date.parse(at) - Date.now()) < 60_000)
    assert.deepEqual(others, {
      actor: setup.operator.email,
      address: '127.0.0.1',
      action: 'client_app.activate',
      subject: clientId,
      before: '{"isActive": true}',
      after: '{"isActive": true}',
    })
  })

  it('200 pages through every entry of the requested days exactly once', async () => {
    await plant('paged', 120)
    await plant('paged', 3, '2019-01-31')
    const found: string[] = []
    let pages = 0
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const days = { from: '2020-01-31', to: '2020-01-31' }
      const page: Page = await read({ search: 'PAGED', ...days, ...(cursor && { cursor }) })
      found.push(...page.entries.map(({ at }) => at))
      cursor = page.nextCursor
    }
    assert.equal(pages, 3)
    assert.equal(new Set(found).size, 120)
    assert.deepEqual(found, found.toSorted().toReversed())
    const { entries } = await read({ search: 'paged', to: '2019-12-31' })
    assert.equal(entries.length, 3)
  })

  it('200 entries cannot be changed: the database role of the service may only insert and select', async () => {
    const { db } = setup.harness.context
    for (const change of [
      `update admin.audit set actor = 'nobody'`,
      'delete from admin.audit',
      'truncate admin.audit',
      'drop table admin.audit',
      'alter table admin.audit disable trigger all',
    ]) {
      await assert.rejects(db.query(change), { code: '42501' })
    }
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [...FAULTY, ['cursor', 'next']]))
})

describe('GET /api/admin/audit.csv', () => {
  const endpoint = auditEndpoints.exportAudit

  it('200 exports the same entries, beyond one page', async () => {
    await plant('exported', 1_205)
    const response = await askAs(setup, setup.viewer, endpoint, { search: 'exported' })
    assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(
      String(response.headers['content-disposition']),
      /^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const lines = response.body.split('\r\n')
    assert.equal(lines.length, 1 + 1_205 + 1)
    assert.equal(lines[0], '\uFEFFTime (UTC),Actor,Address,Action,Subject,Before,After,Id')
    assert.match(
      lines[1] ?? '',
      /^2020-01-31T11:59:00\.000Z,planter@example\.com,,test\.plant,exported,,,\d+$/,
    )
  })

  it('200 no spreadsheet interprets a cell as a formula', async () => {
    const cells = ['=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', '"=1', 'a,"b"\nc']
    for (const cell of cells) {
      await setup.harness.admin.query(
        `insert into admin.audit (actor, action, subject) values ($1, 'test.formula', $1)`,
        [cell],
      )
    }
    const { body } = await askAs(setup, setup.viewer, endpoint, { search: 'test.formula' })
    for (const cell of ["'=1+1", "'+1", "'-1", "'@sum", `"'\t'=1"`, `"'\r'=1"`, `"'""=1"`]) {
      assert(body.includes(`,${cell},,test.formula,${cell},`), JSON.stringify(cell))
    }
    assert(body.includes('"a,""b""\nc"'))
  })
})
