import type { Language } from '@coffer/contract/languages'
import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'
import type { PauseReason } from '../../mail/messages-en.ts'

export interface AutomaticTerms {
  thresholdMinor: bigint
  amountMinor: bigint
  monthMaxMinor: bigint
  timeZone: string
  cardId: string
  cardName: string
}

export interface AutomaticTopup extends AutomaticTerms {
  /** The text that the person agreed to. */
  consent: string
  consentedAt: Date
  /** Since the last payment that succeeded. */
  failures: number
  pausedFor: PauseReason | null
}

interface AutomaticRow {
  threshold: bigint
  amount: bigint
  month_max: bigint
  time_zone: string
  card_id: string
  card_name: string
  consent: string
  consented_at: Date
  failures: bigint
  paused_for: PauseReason | null
}

function readAutomatic(row: AutomaticRow): AutomaticTopup {
  return {
    thresholdMinor: row.threshold,
    amountMinor: row.amount,
    monthMaxMinor: row.month_max,
    timeZone: row.time_zone,
    cardId: row.card_id,
    cardName: row.card_name,
    consent: row.consent,
    consentedAt: row.consented_at,
    failures: Number(row.failures),
    pausedFor: row.paused_for,
  }
}

const AUTOMATIC = `threshold, amount, month_max, time_zone, card_id, card_name, consent, consented_at, failures,
  paused_for`

export function findAutomatic(userId: bigint): Statement<AutomaticTopup> {
  return {
    text: `select ${AUTOMATIC} from directory.automatic_topups where service_user_id = $1`,
    values: [userId],
    read: readAutomatic,
  }
}

/** No change of the terms is possible until the transaction ends. */
export function lockAutomatic(userId: bigint): Statement<AutomaticTopup> {
  const { text, ...rest } = findAutomatic(userId)
  return { ...rest, text: `${text} for update` }
}

/** The new terms apply at once, and end a pause. The last attempt still counts for the hour. */
export function saveAutomatic(
  userId: bigint,
  terms: AutomaticTerms,
  consent: string,
): pg.QueryConfig {
  const { thresholdMinor, amountMinor, monthMaxMinor, timeZone, cardId, cardName } = terms
  return {
    text: `insert into directory.automatic_topups
        (service_user_id, threshold, amount, month_max, time_zone, card_id, card_name, consent, next_try_at)
      select $1, $2, $3, $4, $5, $6, $7, $8, coalesce(max(created_at) + interval '1 hour', now())
      from directory.topups where service_user_id = $1 and is_automatic
      on conflict (service_user_id) do update set threshold = excluded.threshold, amount = excluded.amount,
        month_max = excluded.month_max, time_zone = excluded.time_zone, card_id = excluded.card_id,
        card_name = excluded.card_name, consent = excluded.consent, consented_at = now(), failures = 0,
        paused_for = null`,
    values: [
      userId,
      thresholdMinor,
      amountMinor,
      monthMaxMinor,
      timeZone,
      cardId,
      cardName,
      consent,
    ],
  }
}

export function deleteAutomatic(userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.automatic_topups where service_user_id = $1',
    values: [userId],
  }
}

/** Only while one of these cards is the one that pays. */
export function pauseForCard(userId: bigint, cardIds: readonly string[]): pg.QueryConfig {
  return {
    text: `update directory.automatic_topups set paused_for = 'card'
      where service_user_id = $1 and card_id = any($2::text[])`,
    values: [userId, cardIds],
  }
}

/** What automatic top-ups took in the current month of the person. Payments that are open or in doubt count. */
const MONTH_TOTAL = `(
  select coalesce(sum(t.amount), 0) from directory.topups t
  where t.service_user_id = a.service_user_id and t.is_automatic and t.status <> 'ended'
    and t.created_at >= date_trunc('month', now() at time zone a.time_zone) at time zone a.time_zone
)`

export interface DuePerson {
  userId: bigint
  walletId: bigint
}

/**
 * People whose balance is below their threshold: a state, so that nothing is missed. A wallet that is frozen or in debt
 * gets nothing, and money that is reserved still belongs to the person. The transaction that starts the top-up checks it
 * again. For an hour, nobody else takes the person.
 */
export function claimDuePeople(most: number): Statement<DuePerson> {
  return {
    text: `update directory.automatic_topups d set next_try_at = now() + interval '1 hour'
      from (
        select a.service_user_id, u.wallet_id from directory.automatic_topups a
        join directory.service_users u on u.id = a.service_user_id
        join ledger.wallets w on w.id = u.wallet_id
        where a.paused_for is null and a.next_try_at <= now()
          and w.balance + w.held < a.threshold and w.debt = 0 and w.is_active and w.closed_at is null
          and ${MONTH_TOTAL} + a.amount <= a.month_max
          and not exists (
            select from directory.topups t
            where t.service_user_id = a.service_user_id and t.is_automatic and t.status = 'open'
          )
        order by a.next_try_at limit $1 for update of a skip locked
      ) due
      where d.service_user_id = due.service_user_id
      returning d.service_user_id, due.wallet_id`,
    values: [most],
    read: (row: { service_user_id: bigint; wallet_id: bigint }) => ({
      userId: row.service_user_id,
      walletId: row.wallet_id,
    }),
  }
}

/** Whether one more automatic top-up fits into the month; no row: it does not, or one is open. */
export function findRoom(userId: bigint): pg.QueryConfig {
  return {
    text: `select from directory.automatic_topups a
      where a.service_user_id = $1 and ${MONTH_TOTAL} + a.amount <= a.month_max
        and not exists (
          select from directory.topups t
          where t.service_user_id = a.service_user_id and t.is_automatic and t.status = 'open'
        )`,
    values: [userId],
  }
}

/** How many failures in a row pause it. */
const FAILURES_MAX = 3

/**
 * Ends an unpaid top-up and counts its failure, in one statement: once, whichever process does it and however often.
 * Returns why it is paused now; no row: it was ended before, or the person has no automatic top-up any more.
 */
export function endFailed(topupId: string, reason: PauseReason): Statement<PauseReason | null> {
  return {
    text: `with ended as (
        update directory.topups set status = 'ended', settled_at = now(), settled_by = null
        where id = $1 and status = 'open' returning service_user_id
      )
      update directory.automatic_topups a set failures = a.failures + 1,
        paused_for = case when $2 <> 'failures' or a.failures + 1 >= ${FAILURES_MAX} then $2 end
      from ended e where a.service_user_id = e.service_user_id and a.paused_for is null
      returning a.paused_for`,
    values: [topupId, reason],
    read: (row: { paused_for: PauseReason | null }) => row.paused_for,
  }
}

export function resetFailures(userId: bigint): pg.QueryConfig {
  return {
    text: 'update directory.automatic_topups set failures = 0 where service_user_id = $1 and failures > 0',
    values: [userId],
  }
}

/** No row: nobody verified the address. */
export function findNoticeAddress(
  userId: bigint,
): Statement<{ email: string; language: Language | null }> {
  return {
    text: `select email, language from directory.people
      where service_user_id = $1 and email_verified_at is not null`,
    values: [userId],
    read: (row: { email: string; language: Language | null }) => row,
  }
}
