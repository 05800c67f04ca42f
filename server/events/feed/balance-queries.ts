import type pg from 'pg'
import type { Period } from '../../books/read-new-operations.ts'
import type { Statement } from '../../database/statement.ts'
import { OPERATOR_RELEASE } from '../../ledger/types.ts'
import { linkData } from '../outbox-queries.ts'

/** Apps that get balance.changed: an app that may not read a wallet does not get its balance in an event. */
const GETS_EVENTS = `a.balance_events_since is not null and 'wallet:read' = any(a.scopes)`

/** The earliest time from which an app gets balance.changed; undefined if none does. */
export const FIND_BALANCE_START: Statement<Date | undefined> = {
  name: 'find-balance-start',
  text: `select min(a.balance_events_since) as start from directory.client_apps a where ${GETS_EVENTS}`,
  read: (row: { start: Date | null }) => row.start ?? undefined,
}

/** SQL: operations on the ledger account of an app that the app did not make itself. */
const NOT_BY_APP = `kind = 'expiry' or kind = 'release' and reference_type = '${OPERATOR_RELEASE}'`

/**
 * The links of all apps that did not make the change themselves. Each is due after a random time, so that an app cannot
 * calculate when another app debited the wallet. A link that is already waiting gets one event for all its changes.
 * Changes before the link was created, or before an operator enabled the events, cause no event.
 */
export function noteChanges(
  { from, before }: Period,
  { minSeconds, maxSeconds }: { minSeconds: number; maxSeconds: number },
): pg.QueryConfig {
  return {
    name: 'note-changed-balances',
    text: `insert into events.changed_balances (link_id, due_at)
      select link_id, clock_timestamp() + make_interval(secs => $3::float8 + random() * ($4::float8 - $3::float8)) from (
        select distinct l.public_id as link_id
        from (
          select wallet_id, counter_account, ${NOT_BY_APP} as is_not_by_app, max(created_at) as last_at
          from ledger.operations where created_at >= $1 and created_at < $2 and amount <> 0
          group by 1, 2, 3
        ) o
        join directory.service_users u on u.wallet_id = o.wallet_id
        join directory.links l on l.service_user_id = u.id and l.ended_at is null
        join directory.client_apps a on a.id = l.client_app_id
        where ${GETS_EVENTS} and greatest(a.balance_events_since, l.created_at) <= o.last_at
          and (o.is_not_by_app or o.counter_account <> a.account_id)
      ) changed
      order by link_id
      on conflict (link_id) do nothing`,
    values: [from, before, minSeconds, maxSeconds],
  }
}

/**
 * Adds the events that are due, with the balance of this moment, and returns how many links were due. A link that ended
 * gets no event. The lock on a link keeps it from ending meanwhile, so no event comes after link.ended. A link that
 * another transaction has locked waits for the next round.
 */
export function reportChanges(most: number): pg.QueryConfig {
  return {
    name: 'report-changed-balances',
    text: `with due as (
        select c.link_id as public_id, l.client_app_id, l.wallet_id, l.ended_at
        from events.changed_balances c join directory.links l on l.public_id = c.link_id
        where c.due_at <= clock_timestamp() order by c.due_at limit $1
        for update of c skip locked for share of l skip locked
      ), taken as (
        delete from events.changed_balances c using due where c.link_id = due.public_id
      ), reported as (
        insert into events.outbox (client_app_id, type, data)
        select due.client_app_id, 'balance.changed', ${linkData('due', `, 'balanceMinor', w.balance::text`)}
        from due
        join directory.client_apps a on a.id = due.client_app_id and ${GETS_EVENTS}
        join ledger.wallets w on w.id = due.wallet_id
        where due.ended_at is null
      )
      select from due`,
    values: [most],
  }
}
