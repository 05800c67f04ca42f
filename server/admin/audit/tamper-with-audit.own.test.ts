/** Attacks on the audit log: by somebody with the service's database role, and by a superuser without any trigger. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openAuditSetup, type AuditSetup } from '../../test/audit-setup.ts'
import { AUDIT_ATTACKS, entryOf } from '../../test/tables/audit-attacks.ts'
import type { ChainHead } from './chain-queries.ts'

let setup: AuditSetup
/** After 8 of 12 entries. */
let checkpoint: ChainHead
before(async () => {
  setup = await openAuditSetup()
  await setup.write(8)
  checkpoint = await setup.head()
  await setup.write(4)
})
after(() => setup.harness.end())

describe('somebody with the database role of the service', () => {
  const REFUSED = [
    `update admin.audit set actor = 'nobody'`,
    'delete from admin.audit',
    'truncate admin.audit',
    'alter table admin.audit disable trigger all',
    'drop trigger chain_new_entry on admin.audit',
    `insert into admin.audit (at, actor, action) values ('2020-01-01', 'x', 'y')`,
    `insert into admin.audit (id, actor, action) overriding system value values (1, 'x', 'y')`,
    'update admin.audit_chain set hash = hash',
    'delete from admin.audit_chain',
    'truncate admin.audit_chain',
    `insert into admin.audit_chain values (99, 99, sha256(''))`,
    'delete from admin.audit_tasks',
    'set session_replication_role = replica',
    `select setval('admin.audit_id_seq', 1)`,
  ]
  for (const sql of REFUSED) {
    it(`may not ${sql}`, () =>
      assert.rejects(setup.harness.context.db.query(sql), { code: '42501' }))
  }

  it('cannot keep an entry out of the hash chain', async () => {
    const { seq } = await setup.head()
    const client = await setup.harness.context.db.connect()
    try {
      await client.query('begin')
      await setup.write(1, client)
      await client.query('set constraints all immediate')
      await client.query('commit')
    } finally {
      client.release()
    }
    assert.equal((await setup.head()).seq, seq + 1n)
    assert.equal(await setup.faultOf(), undefined)
  })
})

describe('a superuser', () => {
  it('finds no fault if nothing was changed', async () => {
    assert.equal(await setup.faultOf(), undefined)
    assert.equal(await setup.faultOf({ checkpoint }), undefined)
    assert.equal(await setup.faultOf({ checkpoint, isIncremental: true }), undefined)
  })

  it('every column has an attack', async () => {
    const { rows } = await setup.harness.admin.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = 'admin' and table_name = 'audit'`,
    )
    for (const { name } of rows) {
      // An entry with another id is a missing one.
      const attack = name === 'id' ? 'deletes an entry' : `changes the column ${name}`
      assert(
        AUDIT_ATTACKS.some((each) => each.name === attack),
        attack,
      )
    }
  })

  for (const { name, sql, fault, checked, incremental } of AUDIT_ATTACKS) {
    it(name, () =>
      setup.tamper(sql, async () => {
        const expected = [fault, checked ?? fault, incremental === null ? null : (checked ?? fault)]
        const found = [
          await setup.faultOf(),
          await setup.faultOf({ checkpoint }),
          await setup.faultOf({ checkpoint, isIncremental: true }),
        ]
        for (const [index, each] of expected.entries()) {
          if (each === null) assert.equal(found[index], undefined)
          else assert.match(found[index] ?? 'no fault', each)
        }
      }),
    )
  }

  it('removes the newest entries after a verification or a line in the file: both remember the head', async () => {
    const { seq, hash } = await setup.head()
    for (const [task, source] of [
      ['verify', 'an earlier verification'],
      ['stream', 'the audit log file'],
    ] as const) {
      const saved = `update admin.audit_tasks set seq = ${seq}, hash = '\\x${hash.toString('hex')}'
        where task = '${task}'`
      const cut = `delete from admin.audit where id = ${entryOf(Number(seq))};
        delete from admin.audit_chain where seq = ${seq}`
      await setup.tamper(`${saved}; ${cut}`, async () =>
        assert.equal(
          await setup.faultOf(),
          `audit log, seq ${seq}: it is missing, but ${source} has it`,
        ),
      )
    }
  })
})
