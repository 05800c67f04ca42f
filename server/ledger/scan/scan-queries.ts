/** Statements that read whole tables, for `verify`. */
import type { Statement } from '../../database/statement.ts'

/**
 * Rows in the order in which they are stored are nearly in the order of time. Synchronized scans would start anywhere
 * in the table.
 */
export const READ_IN_STORED_ORDER = {
  text: `set local enable_seqscan = on; set local enable_hashjoin = on; set local synchronize_seqscans = off;
    set local max_parallel_workers_per_gather = 0`,
}

export const EXPORT_SNAPSHOT: Statement<string> = {
  text: 'select pg_export_snapshot() as snapshot',
  read: (row: { snapshot: string }) => row.snapshot,
}

export function useSnapshot(snapshot: string): { text: string } {
  return { text: `set transaction snapshot '${snapshot}'` }
}

export interface Extent {
  wallets: number
  /** As the wallets count them, without the archived ones. */
  operations: number
  firstId: number
  lastId: number
  keyBlocks: number
  /** As PostgreSQL stores it: in microseconds from the year 2000. undefined if no month is archived. */
  archivedBefore: number | undefined
}

type ExtentRow = Record<
  'wallets' | 'operations' | 'first_id' | 'last_id' | 'key_blocks',
  bigint
> & { archived_before: Date | null }

/** Timestamps count from here. */
const EPOCH_MS = Date.UTC(2000, 0)

export const READ_EXTENT: Statement<Extent> = {
  text: `select count(*) as wallets, coalesce(min(id), 0) as first_id,
      coalesce(max(id), 0) as last_id,
      pg_relation_size('ledger.operation_keys') / current_setting('block_size')::bigint as key_blocks,
      coalesce(sum(seq), 0)::bigint
        - (select coalesce(sum(operations), 0)::bigint from ledger.archived_months) as operations,
      (select (max(month) + interval '1 month') at time zone 'UTC' from ledger.archived_months) as archived_before
    from ledger.wallets`,
  read: (row: ExtentRow) => ({
    wallets: Number(row.wallets),
    operations: Number(row.operations),
    firstId: Number(row.first_id),
    lastId: Number(row.last_id),
    keyBlocks: Number(row.key_blocks),
    archivedBefore: row.archived_before
      ? (row.archived_before.getTime() - EPOCH_MS) * 1000
      : undefined,
  }),
}

export interface Part {
  index: number
  count: number
}

/** The remainder of a negative number is negative; no wallet has such an id, and the first shard reports it. */
export function ofShard(column: string, { index, count }: Part): string {
  if (count === 1) return 'true'
  return `(${column} % ${count} = ${index}${index === 0 ? ` or ${column} < 0` : ''})`
}

export function scanOperations(shard: Part): { text: string } {
  return {
    text: `select wallet_id, seq, amount, balance_after, created_at, counter_account, hash, kind, reference_type,
        reference_id, debt_change, debt_after, target, held_change, held_after
      from ledger.operations where ${ofShard('wallet_id', shard)}`,
  }
}

export function scanWallets(shard: Part): { text: string } {
  return {
    text: `select id, seq, balance, debt, held, head_hash from ledger.wallets where ${ofShard('id', shard)}`,
  }
}

/** A part of the table's blocks. Rows after the last block are newer than the snapshot. */
export function scanKeys({ index, count }: Part, blocks: number): { text: string } {
  const start = (part: number) => `'(${Math.ceil((blocks * part) / count)},0)'::tid`
  return {
    text: `select digest, wallet_id, seq, decided_at, coalesce(amount, -1), coalesce(balance_after, -1), kind, target
      from ledger.operation_keys
      where refusal is null and ctid >= ${start(index)} and ctid < ${start(index + 1)}`,
  }
}
