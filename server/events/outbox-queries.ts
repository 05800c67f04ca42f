/**
 * Adds events for client apps. Run these in the transaction of the change that the event is about: then there is an
 * event exactly if the change is committed.
 */
import type pg from 'pg'

/** One event for each app that the owner of the wallet has linked. It contains no reason. */
export function addWalletEvents(
  walletId: bigint,
  type: 'wallet.frozen' | 'wallet.unfrozen',
): pg.QueryConfig {
  return {
    text: `insert into events.outbox (client_app_id, type, data)
      select l.client_app_id, $2::text, ${linkData('l')}
      from directory.service_users u
      join directory.links l on l.service_user_id = u.id and l.ended_at is null
      where u.wallet_id = $1`,
    values: [walletId, type],
  }
}

/** The data of an event about one link, whose row the statement calls `link`. `more`: further names and values. */
export function linkData(link: string, more = ''): string {
  return `jsonb_build_object('serviceUserId', 'su_' || replace(${link}.public_id::text, '-', '')${more})`
}

/** A webhook of an app was disabled. */
export function addDisabledEvent(webhookId: string): pg.QueryConfig {
  return {
    text: `insert into events.outbox (client_app_id, type, data)
      select client_app_id, 'webhook.disabled',
        jsonb_build_object('webhookId', 'wh_' || replace(id::text, '-', ''), 'reason', disabled_reason)
      from events.webhooks where id = $1`,
    values: [webhookId],
  }
}
