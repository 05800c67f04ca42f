/** The statements of the running verifier. */
import type pg from 'pg'
import { OPERATION, WALLET } from '../ledger/queries.ts'

export interface ProofRow {
  balanced_at: Date | null
  balanced_operations: bigint | null
  proved_at: Date | null
  proved_operations: bigint | null
  fault: string | null
  fault_at: Date | null
  round_began_at: Date | null
  round_operations: bigint
  round_fault: string | null
  /** Where the walk is; null: no round is under way. */
  place: unknown
  now: Date
}

export const READ_PROOF = `select balanced_at, balanced_operations, proved_at, proved_operations, fault, fault_at,
    round_began_at, round_operations, round_fault, place, now() as now
  from books.proof`

/** One process at a time; one that dies is relieved after some seconds, also if the clock was set back meanwhile. */
export function claimProof(holder: string, seconds: number): pg.QueryConfig {
  return {
    text: `update books.proof set held_by = $1, held_until = now() + make_interval(secs => $2::float8)
      where held_by = $1 or held_until <= now() or held_until > now() + interval '2 hours'
      returning balanced_at, balanced_operations, proved_at, proved_operations, fault, fault_at, round_began_at,
        round_operations, round_fault, place, now() as now`,
    values: [holder, seconds],
  }
}

/** At the end of a process, so that the next one need not wait. */
export function releaseProof(holder: string): pg.QueryConfig {
  return {
    text: 'update books.proof set held_until = now() where held_by = $1',
    values: [holder],
  }
}

export function beginRound(holder: string, place: object): pg.QueryConfig {
  return {
    text: `update books.proof set round_began_at = now(), round_operations = 0, round_fault = null, place = $2
      where held_by = $1`,
    values: [holder, JSON.stringify(place)],
  }
}

/** Who was relieved meanwhile writes nothing. */
export function saveRound(holder: string, place: object, operations: number): pg.QueryConfig {
  return {
    text: `update books.proof set place = $2, round_operations = round_operations + $3 where held_by = $1`,
    values: [holder, JSON.stringify(place), operations],
  }
}

/** Only a whole round without a fault proves anything, and clears what an earlier one found. */
export function endRound(holder: string): pg.QueryConfig {
  return {
    text: `update books.proof set place = null,
        proved_at = case when round_fault is null then round_began_at else proved_at end,
        proved_operations = case when round_fault is null then round_operations else proved_operations end,
        fault = case when round_fault is null then null else fault end,
        fault_at = case when round_fault is null then null else fault_at end
      where held_by = $1`,
    values: [holder],
  }
}

export function saveBalance(holder: string, at: Date, operations: bigint): pg.QueryConfig {
  return {
    text: 'update books.proof set balanced_at = $2, balanced_operations = $3 where held_by = $1',
    values: [holder, at, operations],
  }
}

/** The first one stays. It counts against the round under way, which must not be the one that clears it. */
export function saveFault(holder: string, fault: string): pg.QueryConfig {
  return {
    text: `update books.proof set fault_at = coalesce(fault_at, now()), fault = coalesce(fault, $2),
        round_fault = coalesce(round_fault, $2)
      where held_by = $1`,
    values: [holder, fault],
  }
}

export interface WalletSumRow {
  now: Date
  operations: bigint
  balance: bigint
  debt: bigint
}

/** Everything is read here, so the planner may read it in the order in which it lies. */
export const READ_IN_ORDER = `set local enable_seqscan = on; set local statement_timeout = '60s'`

export const SUM_WALLETS = `select date_trunc('milliseconds', now()) as now, coalesce(sum(seq), 0)::bigint as operations,
    coalesce(sum(balance), 0)::bigint as balance, coalesce(sum(debt), 0)::bigint as debt
  from ledger.wallets`

export function readWalletsFrom(id: bigint, limit: number): pg.QueryConfig {
  return {
    name: 'read-wallets-from',
    text: `select ${WALLET} from ledger.wallets where id >= $1 order by id limit $2`,
    values: [id, limit],
  }
}

/** In the order of the primary key, which every month has its own of; it stops when there are enough. */
export function readOperationsAfter(
  walletId: bigint,
  seq: bigint,
  upToWallet: bigint,
  limit: number,
): pg.QueryConfig {
  return {
    name: 'read-operations-after',
    text: `select ${OPERATION} from ledger.operations
      where (wallet_id, seq) > ($1, $2) and wallet_id <= $3 order by wallet_id, seq limit $4`,
    values: [walletId, seq, upToWallet, limit],
  }
}

export interface KeyPageRow {
  last_digest: string | null
  /** The first posted key whose operation is not there. */
  orphan_wallet: bigint | null
  orphan_seq: bigint | null
}

export function checkKeyPage(afterDigest: string, limit: number): pg.QueryConfig {
  return {
    name: 'check-key-page',
    text: `with page as materialized (
        select digest, wallet_id, seq, decided_at, refusal from ledger.operation_keys
        where digest > $1 order by digest limit $2
      ), orphan as (
        select wallet_id, seq from page k where refusal is null and not exists (
          select from ledger.operations o
          where o.wallet_id = k.wallet_id and o.seq = k.seq and o.created_at = k.decided_at
        ) order by digest limit 1
      )
      select (select digest from page order by digest desc limit 1) as last_digest,
        (select wallet_id from orphan) as orphan_wallet, (select seq from orphan) as orphan_seq`,
    values: [afterDigest, limit],
  }
}

export interface HourBoundsRow {
  first_hour: Date | null
  rolled_up_to: Date
}

export const FIND_HOURS = `select (select hour from books.hours order by hour limit 1) as first_hour, rolled_up_to
  from books.progress`
