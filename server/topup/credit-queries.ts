import type pg from 'pg'
import type { Decision } from '../ledger/types.ts'
import { linkData } from '../events/outbox-queries.ts'

/**
 * Changes no row if it is marked already. The client app through which the top-up began gets an event, unless the
 * person has unlinked it: one statement, so exactly one event per top-up, whichever process marks it and however often
 * it is tried. The id of the transaction depends on who reads it, so the event has the wallet and the number of its
 * entry.
 */
export function markCredited(
  id: string,
  { walletId, seq, amountMinor, balanceAfter }: Decision,
  reportedBy: string | undefined,
): pg.QueryConfig {
  return {
    text: `with credited as (
        update directory.topups set status = 'credited', ended_at = now(), reported_by = $2
        where id = $1 and status <> 'credited' returning id, client_app_id, service_user_id
      ), event as (
        insert into events.outbox (client_app_id, type, data)
        select l.client_app_id, 'topup.credited', ${linkData(
          'l',
          `, 'topupId', c.id, 'walletId', $3::text,
          'seq', $4::text, 'amountMinor', $5::text, 'balanceMinor', $6::text`,
        )}
        from credited c
        join directory.links l on l.service_user_id = c.service_user_id and l.client_app_id = c.client_app_id
          and l.ended_at is null
      )
      select from credited`,
    values: [id, reportedBy ?? null, walletId, seq, amountMinor, balanceAfter],
  }
}
