/** A service with some audit entries, and what somebody with a superuser's login can do to them. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { READ_CHAIN_HEAD, type ChainHead } from '../admin/audit/chain-queries.ts'
import { verifyAudit, type AuditOptions } from '../admin/audit/verify-audit.ts'
import { recordAction } from '../admin/record-action.ts'
import { clientConfig } from '../database/connect.ts'
import { one, type Database } from '../database/statement.ts'
import { startHarness, type Harness } from './harness.ts'

const TABLES = ['audit', 'audit_chain', 'audit_tasks']

export interface AuditSetup {
  harness: Harness
  /** Adds entries with texts that an encoding could confuse. */
  write(count: number, db?: Database): Promise<void>
  head(): Promise<ChainHead>
  faultOf(options?: AuditOptions): Promise<string | undefined>
  /** Changes the tables without any trigger, and restores them afterwards. */
  tamper(sql: string, check: () => Promise<void>): Promise<void>
}

/** The background jobs do not verify, so that they do not interfere. */
export async function openAuditSetup(env: Record<string, string> = {}): Promise<AuditSetup> {
  const harness = await startHarness({ VERIFY_PERCENT: '0', ...env })
  const { admin, context } = harness
  let count = 0
  return {
    harness,
    async write(entries, db = context.db) {
      for (let each = 0; each < entries; each++) {
        count++
        const actorId = count % 2 ? 7n : null
        const by = { actor: `Ólga "${count}",`, actorId, address: `10.0.0.${count}` }
        const subject = count % 3 ? `5:person,-/${count}` : null
        const after = {
          amount: '1.00',
          note: 'ü\n💶',
          order: [count, null],
          nested: { b: 1, a: 2 },
        }
        await recordAction(db, by, { action: 'test.write', subject, after })
      }
    },
    head: async () => (await one(context.db, READ_CHAIN_HEAD)) ?? assert.fail('the chain is empty'),
    async faultOf(options = {}) {
      const client = new pg.Client(clientConfig(harness.databaseUrl))
      await client.connect()
      try {
        return (await verifyAudit(client, options)).fault
      } finally {
        await client.end()
      }
    },
    async tamper(sql, check) {
      await admin.query(`set session_replication_role = replica`)
      for (const table of TABLES) {
        await admin.query(`create table public.kept_${table} as table admin.${table}`)
      }
      try {
        await admin.query(sql)
        await admin.query(`set session_replication_role = origin`)
        await check()
      } finally {
        await restore(admin)
      }
    },
  }
}

async function restore(admin: pg.Client) {
  await admin.query(`set session_replication_role = replica`)
  for (const table of TABLES) {
    await admin.query(`truncate admin.${table}`)
    await admin.query(
      `insert into admin.${table} overriding system value select * from public.kept_${table}`,
    )
    await admin.query(`drop table public.kept_${table}`)
  }
  await admin.query(`set session_replication_role = origin`)
}
