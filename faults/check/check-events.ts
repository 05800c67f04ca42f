/** Compares the events that the apps got with the events in the database, and those with what happened. */
import type pg from 'pg'
import type { EventWatch, SeenByApp } from '../clients/watch-events.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { withAdmin } from '../setup/with-admin.ts'
import type { Findings } from './findings.ts'

interface StoredRow {
  id: string
  sequence: bigint
  type: string
  topup_id: string | null
}

/** Returns how many events there are. */
export async function checkEvents(
  { database }: Setup,
  watch: EventWatch,
  findings: Findings,
): Promise<number> {
  const fault = (what: string) => findings.add(13, what)
  return withAdmin(database.url, async (admin) => {
    let count = 0
    const { rows } = await admin.query<{ waiting: bigint }>(
      'select count(*) as waiting from events.outbox',
    )
    if (rows[0]?.waiting !== 0n) fault(`${rows[0]?.waiting} events have no number`)
    for (const app of watch.seen) {
      const stored = await readStored(admin, app.clientId)
      count += stored.length
      compareSeen(app, stored, fault)
      await compareTopups(admin, app.clientId, stored, fault)
      await compareExpiries(admin, app.clientId, stored, fault)
      await compareBalances(admin, app.clientId, fault)
    }
    return count
  })
}

async function readStored(admin: pg.Client, clientId: string): Promise<StoredRow[]> {
  const { rows } = await admin.query<StoredRow>(
    `select 'evt_' || replace(e.id::text, '-', '') as id, e.sequence, e.type, e.data->>'topupId' as topup_id
     from events.events e join directory.client_apps a on a.id = e.client_app_id
     where a.client_id = $1 order by e.sequence`,
    [clientId],
  )
  return rows
}

/** Compares what an app got with what is stored. */
export function compareSeen(
  app: SeenByApp,
  stored: readonly StoredRow[],
  fault: (what: string) => void,
) {
  const { clientId, feed, received } = app
  for (const [index, { id, sequence }] of stored.entries()) {
    if (sequence !== BigInt(index + 1)) fault(`${clientId}: event ${index + 1} is missing`)
    const read = feed[index]
    if (read?.id !== id || read.sequence !== index + 1) {
      fault(`${clientId}: the feed has ${read?.id} as event ${index + 1}, not ${id}`)
    }
    const sent = received.get(id)
    if (index < app.before) continue
    if (sent === undefined) fault(`${clientId}: event ${id} did not reach the webhook`)
    else if (sent.text !== read?.text) fault(`${clientId}: webhook and feed differ in event ${id}`)
  }
  if (feed.length !== stored.length) {
    fault(`${clientId}: the feed had ${feed.length} events, there are ${stored.length}`)
  }
  const known = new Set(stored.map(({ id }) => id))
  for (const id of received.keys()) if (!known.has(id)) fault(`${clientId}: ${id} does not exist`)
}

/** Each top-up that was credited through the app is one event. */
async function compareTopups(
  admin: pg.Client,
  clientId: string,
  stored: readonly StoredRow[],
  fault: (what: string) => void,
) {
  const { rows } = await admin.query<{ id: string }>(
    `select t.id from directory.topups t join directory.client_apps a on a.id = t.client_app_id
     where a.client_id = $1 and t.status = 'credited'`,
    [clientId],
  )
  const credited = rows.map(({ id }) => id).toSorted()
  const reported = stored
    .filter(({ type }) => type === 'topup.credited')
    .map(({ topup_id: id }) => id ?? '')
    .toSorted()
  if (JSON.stringify(credited) !== JSON.stringify(reported)) {
    fault(`${clientId}: ${credited.length} top-ups were credited, ${reported.length} are events`)
  }
}

/** Each hold of the app that expired is one event. */
async function compareExpiries(
  admin: pg.Client,
  clientId: string,
  stored: readonly StoredRow[],
  fault: (what: string) => void,
) {
  const { rows } = await admin.query<{ expired: bigint }>(
    `select count(*) as expired from ledger.holds h join directory.client_apps a on a.account_id = h.account
     where a.client_id = $1 and h.closed_by = 'expiry'`,
    [clientId],
  )
  const expired = Number(rows[0]?.expired)
  const reported = stored.filter(({ type }) => type === 'hold.expired').length
  if (expired !== reported) fault(`${clientId}: ${expired} holds expired, ${reported} are events`)
}

/**
 * After the last change of a wallet by others, an app that gets balance.changed has an event for it, whose balance is that
 * of the wallet unless the app itself has changed it since.
 */
async function compareBalances(admin: pg.Client, clientId: string, fault: (what: string) => void) {
  const { rows } = await admin.query<{ wallet_id: bigint; is_late: boolean; is_wrong: boolean }>(
    `select l.wallet_id, coalesce(e.created_at < o.foreign_at, true) as is_late,
       coalesce(o.own_at, '-infinity') < e.created_at and e.balance <> w.balance as is_wrong
     from directory.client_apps a
       join directory.links l on l.client_app_id = a.id and l.ended_at is null
       join ledger.wallets w on w.id = l.wallet_id
       cross join lateral (
         select max(created_at) filter (where counter_account <> a.account_id or kind = 'expiry') as foreign_at,
           max(created_at) filter (where counter_account = a.account_id) as own_at
         from ledger.operations
         where wallet_id = w.id and amount <> 0 and created_at >= greatest(a.balance_events_since, l.created_at)
       ) o
       left join lateral (
         select created_at, (data->>'balanceMinor')::bigint as balance from events.events
         where client_app_id = a.id and type = 'balance.changed'
           and data->>'serviceUserId' = 'su_' || replace(l.public_id::text, '-', '')
         order by sequence desc limit 1
       ) e on true
     where a.client_id = $1 and a.balance_events_since is not null and o.foreign_at is not null`,
    [clientId],
  )
  for (const { wallet_id: walletId, is_late: isLate, is_wrong: isWrong } of rows) {
    if (isLate) fault(`${clientId}: the last change of wallet ${walletId} has no event`)
    if (isWrong) fault(`${clientId}: the last event of wallet ${walletId} has another balance`)
  }
}
