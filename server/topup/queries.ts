import type pg from 'pg'

export interface TopupRow {
  id: string
  service_user_id: bigint
  wallet_id: bigint
  client_app_id: bigint
  amount: bigint
  intent_id: string | null
  status: 'open' | 'credited' | 'ended'
}
const TOPUP = 'id, service_user_id, wallet_id, client_app_id, amount, intent_id, status'

export function insertTopup(topup: {
  userId: bigint
  walletId: bigint
  clientAppId: bigint
  amountMinor: bigint
}): pg.QueryConfig {
  return {
    text: `insert into directory.topups (service_user_id, wallet_id, client_app_id, amount)
      values ($1, $2, $3, $4) returning ${TOPUP}`,
    values: [topup.userId, topup.walletId, topup.clientAppId, topup.amountMinor],
  }
}

/** Makes top-ups of one person take turns, so that each sees those before it. */
export function lockUser(userId: bigint): pg.QueryConfig {
  return {
    text: 'select id from directory.service_users where id = $1 for no key update',
    values: [userId],
  }
}

/** How long until this person may begin another one; no row: now. A guesser of cards begins many. */
export function findPause(userId: bigint, perHour: number): pg.QueryConfig {
  return {
    text: `select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int as seconds
      from directory.topups where service_user_id = $1 and created_at > now() - interval '1 hour'
      order by created_at desc offset $2 - 1 limit 1`,
    values: [userId, perHour],
  }
}

/** One intent per top-up: the first one stays. */
export function bindIntent(id: string, intentId: string): pg.QueryConfig {
  return {
    text: `update directory.topups set intent_id = $2 where id = $1 and (intent_id is null or intent_id = $2)
      returning ${TOPUP}`,
    values: [id, intentId],
  }
}

export function findTopupByIntent(intentId: string): pg.QueryConfig {
  return {
    name: 'find-topup-by-intent',
    text: `select ${TOPUP} from directory.topups where intent_id = $1`,
    values: [intentId],
  }
}

export function findTopup(id: string): pg.QueryConfig {
  return { text: `select ${TOPUP} from directory.topups where id = $1`, values: [id] }
}

/** Never back from credited: the ledger has it. */
export function setTopupStatus(
  id: string,
  status: 'credited' | 'ended',
  settledBy?: string,
): pg.QueryConfig {
  return {
    text: `update directory.topups set status = $2, settled_at = now(), settled_by = $3
      where id = $1 and status <> 'credited'`,
    values: [id, status, settledBy ?? null],
  }
}

/** Takes what is due and puts off its next turn, so that no other process takes it too. Each turn is twice as far. */
export function claimDueTopups(most: number): pg.QueryConfig {
  return {
    text: `update directory.topups t
      set checks = t.checks + 1,
        next_check_at = now() + least(interval '6 hours', interval '10 seconds' * 2 ^ least(t.checks, 12))
      from (
        select id from directory.topups where status = 'open' and next_check_at <= now()
        order by next_check_at limit $1 for update skip locked
      ) due
      where t.id = due.id
      returning t.id, t.service_user_id, t.wallet_id, t.client_app_id, t.amount, t.intent_id, t.status,
        t.created_at < now() - interval '24 hours' as is_old`,
    values: [most],
  }
}

export function insertEvent(id: string, type: string): pg.QueryConfig {
  return {
    text: `insert into directory.processor_events (id, type) values ($1, $2)
      on conflict (id) do update set type = excluded.type returning processed_at is not null as is_done`,
    values: [id, type],
  }
}

export function markEventDone(id: string): pg.QueryConfig {
  return {
    text: 'update directory.processor_events set processed_at = coalesce(processed_at, now()) where id = $1',
    values: [id],
  }
}

/** The processor itself forgets them after a month. */
export const DELETE_OLD_EVENTS = `delete from directory.processor_events where received_at < now() - interval '60 days'`

export function findDoneEvents(ids: readonly string[]): pg.QueryConfig {
  return {
    text: 'select id from directory.processor_events where id = any($1::text[]) and processed_at is not null',
    values: [ids],
  }
}

/** One process at a time does a chore, and not more often than told. */
export function claimTurn(name: string, seconds: number): pg.QueryConfig {
  return {
    text: `insert into directory.turns as t (name, next_at) values ($1, now() + make_interval(secs => $2::float8))
      on conflict (name) do update set next_at = now() + make_interval(secs => $2::float8) where t.next_at <= now()
      returning extract(epoch from done_at)::float8 as done_at_seconds, extract(epoch from now())::float8 as now_seconds`,
    values: [name, seconds],
  }
}

export function finishTurn(name: string, doneAtSeconds: number): pg.QueryConfig {
  return {
    text: 'update directory.turns set done_at = to_timestamp($2) where name = $1',
    values: [name, doneAtSeconds],
  }
}

/** In the currency that the processor settles in, which need not be ours, and in its units. */
export function insertFee(
  entry: { id: string; fee: number; currency: string },
  source: string,
  topupId: string,
): pg.QueryConfig {
  return {
    text: `insert into directory.processor_fees as f (id, source, amount, currency, topup_id)
      values ($1, $2, $3, $4, $5)
      on conflict (id) do update set topup_id = excluded.topup_id where f.topup_id is null`,
    values: [entry.id, source, entry.fee, entry.currency.toUpperCase(), topupId],
  }
}

export function listCreditedTopups(from: Date, to: Date): pg.QueryConfig {
  return {
    text: `select ${TOPUP} from directory.topups
      where status = 'credited' and created_at >= $1 and created_at < $2 order by created_at`,
    values: [from, to],
  }
}

export function listOpenTopups(userId: bigint): pg.QueryConfig {
  return {
    text: `select ${TOPUP} from directory.topups where service_user_id = $1 and status = 'open'`,
    values: [userId],
  }
}
