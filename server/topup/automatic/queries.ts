import type { Language } from '@coffer/contract/languages'
import type pg from 'pg'
import type { Statement } from '../../database/statement.ts'
import type { SuspensionReason } from '../../mail/messages-en.ts'

export interface AutomaticTerms {
  thresholdMinor: bigint
  amountMinor: bigint
  monthMaxMinor: bigint
  timeZone: string
  cardId: string
  cardName: string
}

export interface AutomaticTopup extends AutomaticTerms {
  /** The terms as text. */
  consent: string
  consentedAt: Date
  /** Since the last payment that succeeded. */
  failures: number
  suspendedFor: SuspensionReason | null
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
  suspended_for: SuspensionReason | null
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
    suspendedFor: row.suspended_for,
  }
}

const AUTOMATIC = `threshold, amount, month_max, time_zone, card_id, card_name, consent, consented_at, failures,
  suspended_for`

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

/**
 * The new terms apply at once, also to a charge that is open, and end a suspension. The last attempt still counts for
 * the hour. If the password is being changed, this waits until that ends. It saves nothing if the password is no longer
 * the given one.
 */
export function saveAutomatic(
  userId: bigint,
  passwordHash: string | null,
  terms: AutomaticTerms,
  consent: string,
): pg.QueryConfig {
  const { thresholdMinor, amountMinor, monthMaxMinor, timeZone, cardId, cardName } = terms
  return {
    text: `insert into directory.automatic_topups
        (service_user_id, threshold, amount, month_max, time_zone, card_id, card_name, consent, next_try_at)
      select p.service_user_id, $3, $4, $5, $6, $7, $8, $9, coalesce((
          select max(created_at) + interval '1 hour' from directory.topups
          where service_user_id = $1 and is_automatic
        ), now())
      from directory.people p where p.service_user_id = $1 and p.password_hash = $2 for share of p
      on conflict (service_user_id) do update set threshold = excluded.threshold, amount = excluded.amount,
        month_max = excluded.month_max, time_zone = excluded.time_zone, card_id = excluded.card_id,
        card_name = excluded.card_name, consent = excluded.consent, consented_at = now(), failures = 0,
        suspended_for = null, terms_id = gen_random_uuid()`,
    values: [
      userId,
      passwordHash,
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

/** Only while one of these cards is the one that pays. */
export function suspendForCard(userId: bigint, cardIds: readonly string[]): pg.QueryConfig {
  return {
    text: `update directory.automatic_topups set suspended_for = 'card'
      where service_user_id = $1 and card_id = any($2::text[])`,
    values: [userId, cardIds],
  }
}

const MONTH_START = `date_trunc('month', now() at time zone a.time_zone) at time zone a.time_zone`

/** What automatic top-ups took in the current month of the person. Payments that are open or in doubt count. */
const MONTH_TOTAL = `(
  select coalesce(sum(t.amount), 0) from directory.topups t
  where t.service_user_id = a.service_user_id and t.is_automatic and t.status <> 'ended'
    and t.created_at >= ${MONTH_START}
)`

/**
 * Whether the terms ask for money now. A wallet that is frozen or in debt gets nothing, and money that is reserved
 * still belongs to the person.
 */
const IS_LOW = `a.suspended_for is null and w.balance + w.held < a.threshold and w.debt = 0 and w.is_active
  and w.closed_at is null`

/** Also whether one more fits into the month, and none is open. */
const IS_DUE = `${IS_LOW} and ${MONTH_TOTAL} + a.amount <= a.month_max
  and not exists (
    select from directory.topups t
    where t.service_user_id = a.service_user_id and t.is_automatic and t.status = 'open'
  )`

/** Automatic top-ups with their wallets. */
const WITH_WALLET = `directory.automatic_topups a
  join directory.service_users u on u.id = a.service_user_id
  join ledger.wallets w on w.id = u.wallet_id`

export interface DuePerson {
  userId: bigint
  walletId: bigint
}

/**
 * Claims people whose balance is below their threshold. It compares current balances, not events, so it misses nobody.
 * The transaction that starts the top-up checks it again. For an hour, nobody else takes the person.
 */
export function claimDuePeople(most: number): Statement<DuePerson> {
  return {
    text: `update directory.automatic_topups d set next_try_at = now() + interval '1 hour'
      from (
        select a.service_user_id, u.wallet_id from ${WITH_WALLET}
        where a.next_try_at <= now() and ${IS_DUE}
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

/** No row: the person needs no money, one more does not fit into the month, or one is open. */
export function findDue(userId: bigint): pg.QueryConfig {
  return {
    text: `select from ${WITH_WALLET} where a.service_user_id = $1 and ${IS_DUE}`,
    values: [userId],
  }
}

/**
 * Whether the person still wants an open charge: under the terms with which it was started, in the month in which it
 * was started. No row: it must not be charged.
 */
export function findWanted(topupId: string): pg.QueryConfig {
  return {
    text: `select from ${WITH_WALLET}
      join directory.topups charge on charge.service_user_id = a.service_user_id and charge.terms_id = a.terms_id
      where charge.id = $1 and charge.status = 'open' and charge.created_at >= ${MONTH_START}
        and ${MONTH_TOTAL} <= a.month_max and ${IS_LOW}`,
    values: [topupId],
  }
}

/** The number of failures in a row after which it is suspended. */
const FAILURES_MAX = 3

/**
 * Ends an unpaid top-up and counts its failure, in one statement: once, whichever process does it and however often.
 * Returns why it is now suspended; no row: it was ended before, or the person has no automatic top-up any more.
 */
export function endFailed(
  topupId: string,
  reason: SuspensionReason,
): Statement<SuspensionReason | null> {
  return {
    text: `with ended as (
        update directory.topups set status = 'ended', ended_at = now(), reported_by = null
        where id = $1 and status = 'open' returning service_user_id
      )
      update directory.automatic_topups a set failures = a.failures + 1,
        suspended_for = case when $2 <> 'failures' or a.failures + 1 >= ${FAILURES_MAX} then $2 end
      from ended e where a.service_user_id = e.service_user_id and a.suspended_for is null
      returning a.suspended_for`,
    values: [topupId, reason],
    read: (row: { suspended_for: SuspensionReason | null }) => row.suspended_for,
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
