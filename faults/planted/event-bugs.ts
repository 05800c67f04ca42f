import type { PlantedBug } from './planted-bug.ts'

export const EVENT_BUGS: readonly PlantedBug[] = [
  {
    name: 'events are numbered by their time',
    file: 'server/events/queries.ts',
    find: 'select client_app_id, c.last_sequence - p.total + p.place, p.id',
    replace:
      'select client_app_id, (extract(epoch from p.created_at) * 1000)::bigint + p.place, p.id',
    test: 'server/events/project-events.test.ts',
    title: 'the time of an event does not decide about its number',
  },
  {
    name: 'events are numbered by the position in the outbox, so a late one is skipped',
    file: 'server/events/queries.ts',
    find: 'where position = any(array(select position from events.outbox order by position limit $1))',
    replace: `where position = any(array(select position from events.outbox
          where position > (select coalesce(max(last_sequence), 0) from events.feeds) order by position limit $1))`,
    test: 'server/events/project-events.test.ts',
    title: 'an event whose transaction commits late gets the next number and is not skipped',
  },
  {
    name: 'a dispute freezes the wallet outside the transaction of its event',
    file: 'server/topup/settle-dispute.ts',
    find: 'const isChanged = await ledger.setWalletActive(walletId, false, tx)',
    replace: 'const isChanged = await ledger.setWalletActive(walletId, false)',
    test: 'server/topup/topup-events.test.ts',
    title: 'once for a dispute, also if a process stops after it has frozen the wallet',
  },
  {
    name: 'the feed reports events that the standby may not have',
    file: 'server/events/read-page.ts',
    find: 'return readDurably(db, config.requiresStandby, (tx) => readEvents(tx, request))',
    replace: `const tx = await db.connect()
  void readDurably
  try {
    return await readEvents(tx, request)
  } finally {
    tx.release()
  }`,
    test: 'server/events/standby.test.ts',
    title: 'report no event that the standby may not have',
  },
  {
    name: 'a cursor is valid after a restore that gave its number to another event',
    file: 'server/events/event-cursor.ts',
    find: 'return positionOf(place).mark === mark',
    replace: 'return positionOf(place).mark !== 0n || mark === 0n',
    test: 'server/events/read-feed.test.ts',
    title: '410 CURSOR_EXPIRED after the database was restored to an earlier state',
  },
  {
    name: 'the event of an expired hold reports the whole hold instead of the rest',
    file: 'server/database/migrations/0005-events.sql',
    find: "'amountMinor', old.remaining::text",
    replace: "'amountMinor', old.amount::text",
    test: 'server/events/hold-events.test.ts',
    title: 'one event with the rest of the hold',
  },
  {
    name: 'requests that wait learn nothing after another one of the app has stopped waiting',
    file: 'server/events/wait-for-events.ts',
    find: '          if (waiters.size === 0) this.#apps.delete(clientAppId)',
    replace: '          this.#apps.delete(clientAppId)',
    test: 'server/events/wait-for-events.test.ts',
    title: 'gets the event also after another request of the app has stopped waiting',
  },
  {
    name: 'an app that was unlinked learns that the wallet is frozen',
    file: 'server/outbox/queries.ts',
    find: 'join directory.links l on l.service_user_id = u.id and l.ended_at is null',
    replace: 'join directory.links l on l.service_user_id = u.id',
    test: 'server/events/app-events.test.ts',
    title: 'one event for each linked app, without a reason, and none for apps that were unlinked',
  },
  {
    name: 'an app gets balance.changed for its own operations',
    file: 'server/events/balance-queries.ts',
    find: 'and (o.is_foreign or o.counter_account <> a.account_id)',
    replace: 'and (o.is_foreign or o.counter_account is not null)',
    test: 'server/events/balance-events.test.ts',
    title: 'not for operations of the app itself',
  },
  {
    name: 'balance.changed reports what happened before it was enabled',
    file: 'server/events/balance-queries.ts',
    find: 'greatest(a.balance_events_since, l.created_at) <= o.last_at',
    replace: 'a.balance_events_since is not null and o.last_at is not null',
    test: 'server/events/balance-events.test.ts',
    title: 'for what happened before it was enabled, or before the person linked the app',
  },
  {
    name: 'balance.changed comes at once, so an app sees when another one debited',
    file: 'server/events/report-balances.ts',
    find: 'const DELAY = { minSeconds: 2, maxSeconds: 10 }',
    replace: 'const DELAY = { minSeconds: 2, maxSeconds: 2 }',
    test: 'server/events/balance-events.test.ts',
    title: 'after 2 to 10 seconds, which differ',
  },
  {
    name: 'balance.changed does not lock the link, so it can come after link.ended',
    file: 'server/events/balance-queries.ts',
    find: 'for update of c skip locked for share of l skip locked',
    replace: 'for update of c skip locked',
    test: 'server/events/balance-failures.test.ts',
    title: 'does not come after link.ended',
  },
  {
    name: 'the reader of new operations stores its position before its jobs have worked',
    file: 'server/books/read-tail.ts',
    find: 'const hasMore = await inTransaction(db, (tx) => readStep(tx, started, stepMs))',
    replace: `await run(db, setTail(due.before))
    const hasMore = await inTransaction(db, (tx) => readStep(tx, started, stepMs))`,
    test: 'server/books/read-tail.test.ts',
    title: 'leaves nothing behind if a job fails',
  },
]
