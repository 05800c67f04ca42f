/** Statements on the hash chain of the audit log, and on the background jobs that verify and stream it. */
import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'
import type { ChainedEntry } from './hash-entry.ts'

/** Where a chain ends: the number and the hash of its last entry. */
export interface ChainHead {
  seq: bigint
  hash: Buffer
}

export interface ChainRow extends ChainHead {
  entryId: bigint
  /** undefined: the entry is missing. */
  entry: ChainedEntry | undefined
}

interface Row {
  seq: bigint
  audit_id: bigint
  hash: Buffer
  id: bigint | null
  at_micros: bigint | null
  actor: string
  actor_id: bigint | null
  address: string | null
  action: string
  subject: string | null
  before: string | null
  after: string | null
}

function readRow(row: Row): ChainRow {
  const { seq, audit_id: entryId, hash, id, at_micros: atMicros, actor_id: actorId } = row
  const { actor, address, action, subject, before, after } = row
  const facts = { atMicros, actor, actorId, address, action, subject, before, after }
  return { seq, hash, entryId, entry: id === null ? undefined : { seq, id, ...facts } }
}

/** The chain from this number on. */
export function readChain(fromSeq: bigint, limit: number): Statement<ChainRow> {
  return {
    text: `select c.seq, c.audit_id, c.hash, a.id, a.actor, a.actor_id, a.address, a.action, a.subject,
        case when isfinite(a.at) then (extract(epoch from a.at) * 1000000)::bigint end as at_micros,
        a.before::text as before, a.after::text as after
      from admin.audit_chain c left join admin.audit a on a.id = c.audit_id
      where c.seq >= $1 order by c.seq limit $2`,
    values: [fromSeq, limit],
    read: readRow,
  }
}

export const READ_CHAIN_HEAD: Statement<ChainHead> = {
  text: 'select seq, hash from admin.audit_chain order by seq desc limit 1',
  read: (row: ChainHead) => row,
}

export function findHash(seq: bigint): Statement<Buffer> {
  return {
    text: 'select hash from admin.audit_chain where seq = $1',
    values: [seq],
    read: (row: { hash: Buffer }) => row.hash,
  }
}

export interface UnchainedPage {
  /** null: there are no more entries. */
  lastId: bigint | null
  /** The first entry that is not in the chain. */
  unchainedId: bigint | null
}

export function findUnchained(afterId: bigint, limit: number): Statement<UnchainedPage> {
  return {
    text: `with page as materialized (
        select id from admin.audit where id > $1 order by id limit $2
      )
      select max(page.id) as last_id, min(page.id) filter (where c.seq is null) as unchained_id
      from page left join admin.audit_chain c on c.audit_id = page.id`,
    values: [afterId, limit],
    read: (row: { last_id: bigint | null; unchained_id: bigint | null }) => ({
      lastId: row.last_id,
      unchainedId: row.unchained_id,
    }),
  }
}

export type AuditTask = 'stream' | 'verify'

interface HeadRow {
  seq: bigint
  hash: Buffer | null
}

/** The entry at which the task ended last, if there is one. */
export function readTask(task: AuditTask): Statement<ChainHead | null> {
  return {
    text: 'select seq, hash from admin.audit_tasks where task = $1',
    values: [task],
    read: ({ seq, hash }: HeadRow) => (hash === null ? null : { seq, hash }),
  }
}

export function saveTask(task: AuditTask, head: ChainHead): pg.QueryConfig {
  return {
    text: 'update admin.audit_tasks set seq = $2, hash = $3 where task = $1',
    values: [task, head.seq, head.hash],
  }
}
