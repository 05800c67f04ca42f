/**
 * Reads one shard of the books: the operations and the wallets whose id has a certain remainder, and a part of the keys.
 * Every table is read in the order in which it is stored, without an index and without sorting.
 */
import type pg from 'pg'
import { copyRows, type TakeRow } from '../../database/copy-rows.ts'
import { KINDS } from '../digest.ts'
import { GROUP_MASK, SetSums, type FingerprintKey } from './fingerprint.ts'
import { HeadTable, readInteger, type Shard } from './head-table.ts'
import { createKindReader, TARGET_BYTES } from './read-link.ts'
import { ChainScan } from './scan-chains.ts'
import { scanArchivedHeads } from '../archived-queries.ts'
import { scanKeys, scanOperations, scanWallets } from './scan-queries.ts'

export interface ShardTask {
  shard: Shard
  keyBlocks: number
  /** As PostgreSQL stores it; undefined if no month is archived. */
  archivedBefore: number | undefined
  fingerprintKey: FingerprintKey
  /** A table with the heads in the checkpoint. */
  checkpoint: SharedArrayBuffer | undefined
}

export interface ShardReport {
  wallets: number
  operations: number
  /** What all people have, minus what they owe. */
  people: bigint
  /** The sums of the operations by ledger account. */
  accounts: Map<number, bigint>
  /** Wallets that the scan cannot confirm. */
  suspects: bigint[]
  /** How many keys are of refunds, of holds, and of captures, releases and expiries. */
  refunds: number
  holds: number
  holdChanges: number
  /** The operations minus the keys, see SetSums. */
  sums: Int32Array
}

/** Positions in a row of `scanKeys`. */
const KEY = { digest: 4, wallet: 24, seq: 36, time: 48, amount: 60, balance: 72, kind: 84 }
const REPORT_ROWS = 50_000
/** About how many times as long an operation takes as a wallet or a key. */
export const OPERATION_WEIGHT = 8

export async function scanShard(
  client: pg.ClientBase,
  task: ShardTask,
  onWork: (done: number) => void,
): Promise<ShardReport> {
  const { shard, keyBlocks, checkpoint, archivedBefore = -Infinity } = task
  const sums = new SetSums(task.fingerprintKey)
  const heads = checkpoint && new HeadTable(shard, checkpoint)
  const scan = new ChainScan(shard, sums, heads, archivedBefore)
  const counted = (takeRow: TakeRow, weight: number) =>
    countRows(takeRow, () => onWork(weight * REPORT_ROWS))
  if (task.archivedBefore !== undefined) {
    await copyRows(client, scanArchivedHeads(shard), scan.takeArchivedHead)
  }
  await copyRows(client, scanOperations(shard), counted(scan.takeOperation, OPERATION_WEIGHT))
  await copyRows(client, scanWallets(shard), counted(scan.takeWallet, 1))
  const counts = { refunds: 0, holds: 0, holdChanges: 0 }
  const subtract = subtractKey(sums, archivedBefore, counts)
  await copyRows(client, scanKeys(shard, keyBlocks), counted(subtract, 1))
  const { wallets, operations } = scan
  return { wallets, operations, ...counts, ...scan.finish(), sums: sums.words }
}

/** The element of a key equals that of its operation, including its target. The operations of archived keys are not in the table. */
function subtractKey(sums: SetSums, archivedBefore: number, counts: Counts): TakeRow {
  const { element } = sums
  const readKind = createKindReader()
  return (bytes, row, at) => {
    const kind = readKind(bytes, at + KEY.kind, row.getInt32(at + KEY.kind - 4)).number
    if (kind >= FIRST_TARGET_KIND) count(counts, kind)
    const targetAt = at + KEY.kind + Math.max(0, row.getInt32(at + KEY.kind - 4)) + 4
    const hasTarget = row.getInt32(targetAt - 4) === TARGET_BYTES
    if (readInteger(row, at + KEY.time) < archivedBefore) return
    for (let word = 0; word < 4; word++) {
      const target = hasTarget ? row.getInt32(targetAt + 4 * word) : 0
      element[word] = row.getInt32(at + KEY.digest + 4 * word) ^ target
    }
    for (let word = 0; word < 2; word++) {
      element[4 + word] = row.getInt32(at + KEY.wallet + 4 * word)
      element[6 + word] = row.getInt32(at + KEY.seq + 4 * word)
      element[8 + word] = row.getInt32(at + KEY.time + 4 * word)
    }
    element[10] = kind
    for (let word = 0; word < 2; word++) {
      element[11 + word] = row.getInt32(at + KEY.amount + 4 * word)
      element[13 + word] = row.getInt32(at + KEY.balance + 4 * word)
    }
    sums.add((element[5] as number) & GROUP_MASK, -1)
  }
}

type Counts = Pick<ShardReport, 'refunds' | 'holds' | 'holdChanges'>

const FIRST_TARGET_KIND = KINDS.indexOf('debit_refund')
const HOLD_KIND = KINDS.indexOf('hold')

/** Of the kinds that have rows in tables of their own. */
function count(counts: Counts, kind: number) {
  if (kind === FIRST_TARGET_KIND) counts.refunds++
  else if (kind === HOLD_KIND) counts.holds++
  else counts.holdChanges++
}

function countRows(takeRow: TakeRow, onRows: () => void): TakeRow {
  let rows = 0
  return (bytes, view, at) => {
    takeRow(bytes, view, at)
    if (++rows % REPORT_ROWS === 0) onRows()
  }
}
