import type { Language } from '@coffer/contract/languages'
import type pg from 'pg'
import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'

export interface Topup {
  id: string
  userId: bigint
  walletId: bigint
  /** null: started at /account. */
  clientAppId: bigint | null
  amountMinor: bigint
  intentId: string | null
  status: 'open' | 'credited' | 'ended'
  /** The saved card that pays, or the customer with whom the card is saved; null: neither. */
  saved: SavedCard | null
  /** The service charges the card without the person. */
  isAutomatic: boolean
}

export interface SavedCard {
  customerId: string
  /** null: the person enters a card, and it is saved. */
  cardId: string | null
}

interface TopupRow {
  id: string
  service_user_id: bigint
  wallet_id: bigint
  client_app_id: bigint | null
  amount: bigint
  intent_id: string | null
  status: Topup['status']
  customer_id: string | null
  card_id: string | null
  is_automatic: boolean
}

function readTopup(row: TopupRow): Topup {
  return {
    id: row.id,
    userId: row.service_user_id,
    walletId: row.wallet_id,
    clientAppId: row.client_app_id,
    amountMinor: row.amount,
    intentId: row.intent_id,
    status: row.status,
    saved: row.customer_id === null ? null : { customerId: row.customer_id, cardId: row.card_id },
    isAutomatic: row.is_automatic,
  }
}

const TOPUP =
  'id, service_user_id, wallet_id, client_app_id, amount, intent_id, status, customer_id, card_id, is_automatic'

/** An automatic top-up belongs to the terms that the person has now. */
export function insertTopup(topup: Omit<Topup, 'id' | 'intentId' | 'status'>): Statement<Topup> {
  const { userId, walletId, clientAppId, amountMinor, saved, isAutomatic } = topup
  return {
    text: `insert into directory.topups
        (service_user_id, wallet_id, client_app_id, amount, customer_id, card_id, is_automatic, terms_id)
      values ($1, $2, $3, $4, $5, $6, $7,
        (select terms_id from directory.automatic_topups where service_user_id = $1 and $7))
      returning ${TOPUP}`,
    values: [
      userId,
      walletId,
      clientAppId,
      amountMinor,
      saved?.customerId ?? null,
      saved?.cardId ?? null,
      isAutomatic,
    ],
    read: readTopup,
  }
}

/** Serializes the top-ups of one person, so that each sees the ones before it. */
export function lockUser(userId: bigint): pg.QueryConfig {
  return {
    text: 'select id from directory.service_users where id = $1 for no key update',
    values: [userId],
  }
}

/** No row: the person was deleted. */
export function findPayer(userId: bigint): pg.QueryConfig {
  return {
    text: 'select from directory.people where service_user_id = $1',
    values: [userId],
  }
}

/** No row: the person wants no receipts, or nobody verified the address. */
export function findReceiptAddress(
  userId: bigint,
): Statement<{ email: string; language: Language | null }> {
  return {
    text: `select email, language from directory.people
      where service_user_id = $1 and wants_receipts and email_verified_at is not null`,
    values: [userId],
    read: (row: { email: string; language: Language | null }) => row,
  }
}

/**
 * The seconds until this person may start another top-up in this client app, or with null at /account; no row means
 * now. Those in other apps do not count: an app can start them without the person.
 */
export function findWait(
  userId: bigint,
  clientAppId: bigint | null,
  perHour: number,
): Statement<number> {
  return {
    text: `select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int as seconds
      from directory.topups where service_user_id = $1 and client_app_id is not distinct from $2
        and created_at > now() - interval '1 hour'
      order by created_at desc offset $3 - 1 limit 1`,
    values: [userId, clientAppId, perHour],
    read: (row: { seconds: number }) => row.seconds,
  }
}

/**
 * The seconds until this person may top up this amount; no row means now. Paid top-ups count for 24 hours after the
 * payment, and open ones always, because they can be paid at any moment. Top-ups are added up from the newest to the
 * oldest: the one at which the sum exceeds the limit decides how long to wait. No payment takes longer than 30 days.
 */
export function findDayWait(
  userId: bigint,
  amountMinor: bigint,
  maxMinor: bigint,
): Statement<number> {
  return {
    text: `select greatest(1, ceil(extract(epoch from at + interval '24 hours' - now())))::int as seconds
      from (
        select coalesce(ended_at, created_at) as at,
          sum(amount) over (order by coalesce(ended_at, created_at) desc, id) as total
        from directory.topups
        where service_user_id = $1 and created_at > now() - interval '30 days'
          and (status = 'open' or status = 'credited' and ended_at > now() - interval '24 hours')
      ) recent
      where total + $2::bigint > $3::bigint order by at desc limit 1`,
    values: [userId, amountMinor, maxMinor],
    read: (row: { seconds: number }) => row.seconds,
  }
}

/** A top-up has one intent: the first one stays. */
export function bindIntent(id: string, intentId: string): Statement<Topup> {
  return {
    text: `update directory.topups set intent_id = $2 where id = $1 and (intent_id is null or intent_id = $2)
      returning ${TOPUP}`,
    values: [id, intentId],
    read: readTopup,
  }
}

export function findTopupByIntent(intentId: string): Statement<Topup> {
  return {
    name: 'find-topup-by-intent',
    text: `select ${TOPUP} from directory.topups where intent_id = $1`,
    values: [intentId],
    read: readTopup,
  }
}

export function findTopup(id: string): Statement<Topup> {
  return {
    text: `select ${TOPUP} from directory.topups where id = $1`,
    values: [id],
    read: readTopup,
  }
}

/** A credited top-up stays credited: it is in the ledger. */
export function endTopup(id: string): pg.QueryConfig {
  return {
    text: `update directory.topups set status = 'ended', ended_at = now(), reported_by = null
      where id = $1 and status <> 'credited'`,
    values: [id],
  }
}

export interface DueTopup extends Topup {
  /** It was started more than a day ago. */
  isOld: boolean
}

/**
 * Takes the top-ups that are due and sets when each is due again, so that no other process takes it too. The interval
 * doubles each time.
 */
export function claimDueTopups(most: number): Statement<DueTopup> {
  return {
    text: `update directory.topups t
      set checks = t.checks + 1,
        next_check_at = now() + least(interval '6 hours', interval '10 seconds' * 2 ^ least(t.checks, 12))
      from (
        select id from directory.topups where status = 'open' and next_check_at <= now()
        order by next_check_at limit $1 for update skip locked
      ) due
      where t.id = due.id
      returning ${TOPUP.replaceAll(/\w+/g, 't.$&')},
        t.created_at < now() - interval '24 hours' as is_old`,
    values: [most],
    read: (row: TopupRow & { is_old: boolean }) => ({ ...readTopup(row), isOld: row.is_old }),
  }
}

/** Returns whether the event was processed before. */
export function insertEvent(id: string, type: string): Statement<boolean> {
  return {
    text: `insert into directory.processor_events (id, type) values ($1, $2)
      on conflict (id) do update set type = excluded.type returning processed_at is not null as is_done`,
    values: [id, type],
    read: (row: { is_done: boolean }) => row.is_done,
  }
}

export function markEventDone(id: string): pg.QueryConfig {
  return {
    text: 'update directory.processor_events set processed_at = coalesce(processed_at, now()) where id = $1',
    values: [id],
  }
}

/** The processor itself keeps events for a month. */
export const OLD_EVENTS: Expired = {
  table: 'directory.processor_events',
  where: `received_at < now() - interval '60 days'`,
}

export function findDoneEvents(ids: readonly string[]): Statement<string> {
  return {
    text: 'select id from directory.processor_events where id = any($1::text[]) and processed_at is not null',
    values: [ids],
    read: (row: { id: string }) => row.id,
  }
}

export interface Poll {
  /** When the last completed poll began; null: there was none. */
  polledToSeconds: number | null
  nowSeconds: number
}

export const READ_POLL: Statement<Poll> = {
  text: `select extract(epoch from polled_to)::float8 as polled_to_seconds, extract(epoch from now())::float8 as now_seconds
    from directory.polled_events`,
  read: (row: { polled_to_seconds: number | null; now_seconds: number }) => ({
    polledToSeconds: row.polled_to_seconds,
    nowSeconds: row.now_seconds,
  }),
}

export function setPolled(toSeconds: number): pg.QueryConfig {
  return {
    text: 'update directory.polled_events set polled_to = to_timestamp($1)',
    values: [toSeconds],
  }
}

/** The amount is in minor units of the currency of the processor's balance, which can differ from ours. */
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

export function listCreditedTopups(from: Date, to: Date): Statement<Topup> {
  return {
    text: `select ${TOPUP} from directory.topups
      where status = 'credited' and created_at >= $1 and created_at < $2 order by created_at`,
    values: [from, to],
    read: readTopup,
  }
}

/** Oldest first. */
export function listOpenTopups(userId: bigint): Statement<Topup> {
  return {
    text: `select ${TOPUP} from directory.topups where service_user_id = $1 and status = 'open' order by created_at`,
    values: [userId],
    read: readTopup,
  }
}
