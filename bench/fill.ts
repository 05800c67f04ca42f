/**
 * Fills the ledger with operations that the service could have posted itself: valid keys, hashes and chains. It runs
 * inside PostgreSQL, in chunks, because a million operations through the HTTP API take minutes.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { clientConfig } from '../server/database/connect.ts'
import { digestPair, GENESIS_HASH, hashOperation } from '../server/ledger/digest.ts'
import { toOperation, type OperationRow } from '../server/ledger/queries.ts'
import { BONUS_ACCOUNT, scopeOf } from '../server/ledger/types.ts'
import { recomputeTotals } from '../server/test/books-setup.ts'
import { createPastMonths } from '../server/test/ledger/partition-setup.ts'

const CHUNK = 20_000
const SHUFFLED_CHUNK = 250_000
const CONNECTIONS = 2
/** Of the ledger, before this one. */
const PAST_MONTHS = 23
/** Minor units: 10 000 000.00, enough for every debit of a run on one hot wallet. */
const OPENING_AMOUNT = 1_000_000_000

export interface FillTarget {
  url: string
  wallets: number
  clientAppId: bigint
  /** The client app's ledger account, which is the scope of its pairs. */
  account: number
  /** Store the operations of many wallets in random order, as they arrive in a real deployment. */
  isShuffled?: boolean
  /** The time of the operations, if it is not now. */
  atMs?: number
}

/** Opens the wallets, each with a user, a link and one opening bonus. */
export async function openWallets(target: FillTarget): Promise<void> {
  await inChunks(target, target.wallets, async (client, first, last) => {
    await client.query(
      `insert into ledger.wallets (id) overriding system value
       select g from generate_series(${first}::bigint, ${last}) g`,
    )
    await client.query(
      `insert into directory.service_users (id, wallet_id) overriding system value
       select g, g from generate_series(${first}::bigint, ${last}) g`,
    )
    await client.query(
      `insert into directory.links (public_id, client_app_id, service_user_id, wallet_id)
       select ${publicIdOf('g')}, ${target.clientAppId}, g, g
       from generate_series(${first}::bigint, ${last}) g`,
    )
    await client.query(appendOperations(target, OPENING, first, last))
  })
  await withClient(target.url, async (client) => {
    for (const table of ['ledger.wallets', 'directory.service_users']) {
      await client.query(
        `select setval(pg_get_serial_sequence('${table}', 'id'), ${target.wallets})`,
      )
    }
  })
}

/** A ledger that is two years old: a partition per month. */
export function createMonths(url: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(createPastMonths(PAST_MONTHS))
  })
}

/** The middle of a month; 0 is now. */
function monthsAgo(months: number): number {
  const now = new Date()
  if (months === 0) return now.getTime()
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15)
}

export const OLDEST: number = monthsAgo(PAST_MONTHS)

/** Gives each wallet this many entries, the opening included, at equal distances from the oldest month until now. */
export async function fillHistory(target: FillTarget, entries: number): Promise<void> {
  for (let entry = 1; entry < entries; entry++) {
    const months = PAST_MONTHS - Math.round((PAST_MONTHS * entry) / (entries - 1))
    await fillUpTo({ ...target, atMs: monthsAgo(months) }, target.wallets * (entry + 1))
  }
}

/** Adds one more debit to each wallet, repeatedly, until the ledger has this many operations. */
export async function fillUpTo(target: FillTarget, operations: number): Promise<void> {
  const present = await countOperations(target.url)
  const debit = { ...DEBIT, counterAccount: target.account, scope: target.account }
  for (let missing = operations - present; missing > 0; missing -= target.wallets) {
    const wallets = Math.min(missing, target.wallets)
    await inChunks(target, wallets, async (client, first, last) => {
      await client.query(appendOperations(target, debit, first, last))
    })
  }
}

/** The state of a database without load: totals up to now, no dead rows, fresh statistics, everything on disk. */
export async function settle(url: string): Promise<void> {
  await checkSample(url)
  await withClient(url, async (client) => {
    await recomputeTotals(client)
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
}

export async function countOperations(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query('select count(*) as count from ledger.operations')
    return Number(rows[0].count)
  })
}

/** The Lua script computes the same from a wallet's number. The first half scatters the ids, the second makes them unique. */
function publicIdOf(number: string): string {
  return `(lpad(to_hex((${number} * 2654435761) % 4294967296), 8, '0') || lpad(to_hex(${number}), 24, '0'))::uuid`
}

interface Entry {
  kind: 'bonus' | 'debit'
  /** The number of the kind in the hash. */
  kindIndex: number
  scope: number
  counterAccount: number
  /** SQL over the wallet w. */
  amount: string
  referenceType: string
  description: string
}
const OPENING: Entry = {
  kind: 'bonus',
  kindIndex: 3,
  scope: 0,
  counterAccount: BONUS_ACCOUNT,
  amount: `${OPENING_AMOUNT}::bigint`,
  referenceType: 'BENCH_OPENING',
  description: 'Welcome',
}
const DEBIT: Entry = {
  kind: 'debit',
  kindIndex: 0,
  scope: 0,
  counterAccount: 0,
  amount: '-(1 + (w.id * 7919 + w.seq * 104729) % 1000)',
  referenceType: 'ORDER_PAYMENT',
  description: 'order',
}

/** The next operation of each wallet of the chunk, byte by byte in the layout of server/ledger/digest.ts. */
function appendOperations(
  { isShuffled, atMs }: FillTarget,
  entry: Entry,
  first: number,
  last: number,
): string {
  const type = `convert_to('${entry.referenceType}', 'UTF8')`
  const createdAtMs = atMs ?? Date.now()
  const createdAt = `'${new Date(createdAtMs).toISOString()}'::timestamptz`
  return `with entries as materialized (
      select w.id, w.seq + 1 as seq, ${entry.amount} as amount, w.balance + ${entry.amount} as balance,
        w.head_hash as previous, 'fill-' || w.id || '-' || w.seq + 1 as reference_id
      from ledger.wallets w where w.id between ${first} and ${last}
    ), named as materialized (
      select *, substr(sha256(int4send(${entry.scope}) || int4send(octet_length(${type})) || ${type}
        || convert_to(reference_id, 'UTF8')), 1, 16) as digest
      from entries
    ), chained as materialized (
      select *, sha256('\\x01'::bytea || previous || int8send(id) || int8send(seq) || int8send(amount)
        || int8send(balance) || int8send(0) || int8send(0) || int8send(${createdAtMs})
        || int4send(${entry.counterAccount}) || '\\x0${entry.kindIndex}'::bytea || digest) as hash
      from named
    ), keys as (
      insert into ledger.operation_keys (digest, wallet_id, seq, decided_at, kind, amount, balance_after)
      select encode(digest, 'hex')::uuid, id, seq, ${createdAt}, '${entry.kind}', abs(amount), balance from chained
    ), operations as (
      insert into ledger.operations (wallet_id, seq, amount, balance_after, created_at, counter_account, kind,
        reference_type, reference_id, description, hash)
      select id, seq, amount, balance, ${createdAt}, ${entry.counterAccount}, '${entry.kind}',
        '${entry.referenceType}', reference_id, '${entry.description}', hash from chained
      ${isShuffled ? 'order by digest' : ''}
    )
    update ledger.wallets w set balance = c.balance, seq = c.seq, head_hash = c.hash
    from chained c where w.id = c.id`
}

/** Detects before the measurement, not after it, that the layout has changed without this file. */
async function checkSample(url: string): Promise<void> {
  const client = new pg.Client(clientConfig(url))
  await client.connect()
  try {
    const { rows } = await client.query<OperationRow>(
      'select * from ledger.operations where wallet_id = 1 order by seq',
    )
    let previous = GENESIS_HASH
    for (const operation of rows.map(toOperation)) {
      const { referenceType, referenceId } = operation
      const digest = digestPair(scopeOf(operation), referenceType, referenceId)
      const hash = hashOperation(previous, operation, digest)
      assert(hash.equals(operation.hash), 'bench/fill.ts no longer chains as the ledger does')
      previous = hash
    }
  } finally {
    await client.end()
  }
}

async function inChunks(
  { url, isShuffled }: FillTarget,
  wallets: number,
  work: (client: pg.Client, first: number, last: number) => Promise<void>,
) {
  let next = 1
  const chunk = isShuffled ? SHUFFLED_CHUNK : CHUNK
  const runner = () =>
    withClient(url, async (client) => {
      while (next <= wallets) {
        const first = next
        next = Math.min(first + chunk, wallets + 1)
        await work(client, first, next - 1)
      }
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, runner))
}

/** Without foreign keys and without waiting for the disk: a load that fails starts from scratch anyway. */
async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(url)
  // The running statement reports a lost connection; this prevents a second report.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query('set synchronous_commit = off')
    return await work(client)
  } finally {
    await client.end()
  }
}
