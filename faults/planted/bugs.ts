/**
 * Bugs that the tests must catch and that neither the models nor StrykerJS can plant: concurrency, crashes, SQL, order,
 * configuration and pages. Each would cost money, or show a secret or the data of others. At most 40: a new one replaces a
 * less harmful one.
 */
import type { Invariant } from '../check/findings.ts'
import type { SourceChange } from '../setup/change-source.ts'

export interface PlantedBug extends SourceChange {
  /** What goes wrong. */
  name: string
  caughtBy:
    | { test: string; /** A part of the title of the test. */ title: string }
    /** The audit with only the faults whose name contains this text finds a violation of this invariant. */
    | { faults: string; invariant: Invariant }
    | 'a failover with a commit in doubt'
}

export const BUGS: readonly PlantedBug[] = [
  // Crashes and concurrent clients, caught by the audit and by failovers.
  {
    name: 'an operation is acknowledged before its commit',
    file: 'server/ledger/post/batch.ts',
    find: '  await commit(client, listWrites(output, locked))\n',
    replace: '  void commit(client, listWrites(output, locked)).catch(() => undefined)\n',
    caughtBy: { faults: 'before COMMIT', invariant: 1 },
  },
  {
    name: 'a payment is credited once per webhook',
    file: 'server/topup/credit-if-paid.ts',
    find: '    referenceId: intent.id,\n',
    replace: '    referenceId: `${intent.id}-${Math.random()}`,\n',
    caughtBy: { faults: 'webhooks sent ten times', invariant: 9 },
  },
  {
    name: 'a batch runs again with new keys after a lost connection',
    file: 'server/ledger/post/lanes.ts',
    find: '      queue.putBack(batch.filter((each) => !each.isDone))\n',
    replace: `      for (const { request } of batch) request.digest = crypto.randomUUID().replaceAll('-', '')
      queue.putBack(batch.filter((each) => !each.isDone))
`,
    caughtBy: { faults: 'connection cut after COMMIT', invariant: 2 },
  },
  {
    name: 'commits do not wait for the standby',
    file: 'server/database/connect.ts',
    find: '    role: SERVICE_ROLE,\n',
    replace: `    synchronous_commit: 'local',
    role: SERVICE_ROLE,
`,
    caughtBy: 'a failover with a commit in doubt',
  },
  {
    name: 'a look-up reports what the standby may not have',
    file: 'server/ledger/read/read-durably.ts',
    find: '    await client.query(BARRIER)\n',
    replace: '',
    caughtBy: 'a failover with a commit in doubt',
  },
  // The ledger: batches, lost connections, failovers.
  {
    name: 'a request that joins a batch overdraws the wallet',
    file: 'server/ledger/post/batch.ts',
    find: `  return {
    wallets,
`,
    replace: `  for (const { walletId, amountMinor } of requests.slice(first.length)) {
    const wallet = wallets.get(walletId)
    if (wallet) wallets.set(walletId, { ...wallet, balance: wallet.balance + amountMinor })
  }
  return {
    wallets,
`,
    caughtBy: {
      test: 'server/ledger/post/join-batch.test.ts',
      title: 'cannot overdraw the wallet',
    },
  },
  {
    name: 'a later connection error clears the doubt about a commit',
    file: 'server/ledger/post/lanes.ts',
    find: 'if (error instanceof CommitInDoubt) pending.inDoubt = true',
    replace: 'pending.inDoubt = error instanceof CommitInDoubt',
    caughtBy: {
      test: 'server/ledger/ledger.test.ts',
      title: 'OUTCOME_UNKNOWN if the database stays down after the connection was lost at COMMIT',
    },
  },
  {
    name: 'the order within a wallet is reversed after a lost connection',
    file: 'server/ledger/post/lanes.ts',
    find: 'queue.putBack(batch.filter((each) => !each.isDone))',
    replace: 'queue.putBack(batch.filter((each) => !each.isDone).toReversed())',
    caughtBy: {
      test: 'server/ledger/ledger.test.ts',
      title: 'resolves a connection that is lost at COMMIT, before it arrived',
    },
  },
  {
    name: 'a commit that stopped waiting for its standby is reported as done',
    file: 'server/ledger/post/batch.ts',
    find: '  if (client.warned) throw',
    replace: '  if (client.warned === undefined) throw',
    caughtBy: {
      test: 'server/ledger/ledger.test.ts',
      title: 'reports no outcome that the standby may not have',
    },
  },
  {
    name: 'a request in doubt is reported as not executed at its deadline',
    file: 'server/ledger/post/admit.ts',
    find: 'pending.inFlight || pending.inDoubt',
    replace: 'pending.inFlight',
    caughtBy: {
      test: 'server/ledger/ledger.test.ts',
      title: 'OUTCOME_UNKNOWN if the database stays down after the connection was lost at COMMIT',
    },
  },
  {
    name: 'an account gets its limit before running batches have ended',
    file: 'server/ledger/add-credit-limit.ts',
    find: '  await waitForBatches(client)\n',
    replace: '  void waitForBatches\n',
    caughtBy: {
      test: 'server/ledger/add-credit-limit.own.test.ts',
      title: 'counts a batch that read the account earlier and writes before the balance starts',
    },
  },
  {
    name: 'a batch commits although it did not update every wallet',
    file: 'server/ledger/post/write-queries.ts',
    find: 'having count(*) <> cardinality($21::text[])',
    replace: 'having count(*) > cardinality($21::text[])',
    caughtBy: {
      test: 'server/ledger/post/batch-rows.test.ts',
      title: 'is rolled back if a wallet is at another place',
    },
  },
  {
    name: 'a failed transaction is continued by the next one',
    file: 'server/database/in-transaction.ts',
    find: `    client.release(true)
    throw error`,
    replace: `    client.release()
    throw error`,
    caughtBy: {
      test: 'server/database/in-transaction.test.ts',
      title: 'leaves nothing to the next one on the same pool: no rows, no locks, no error',
    },
  },
  {
    name: 'a former primary that became read-only does not count as a failed connection',
    file: 'server/database/connect.ts',
    find: "  '25006', // a read-only server, such as a former primary\n",
    replace: '',
    caughtBy: {
      test: 'server/database/connect.test.ts',
      title: `is true for 25006, whatever the language of the server's messages is`,
    },
  },
  // Verification and the audit log.
  {
    name: 'the walk does not look for keys',
    file: 'server/ledger/verify/walk-chains.ts',
    find: '    checkKey(operation, digest, keys)\n',
    replace: '    void [checkKey, keys]\n',
    caughtBy: {
      test: 'server/ledger/verify/verify-tampering.test.ts',
      title: 'the key of operation 10 is deleted',
    },
  },
  {
    name: 'the head in the checkpoint is not compared',
    file: 'server/ledger/verify/walk-chains.ts',
    find: '    compareWithCheckpoint(end, checkpoint?.get(walletId))\n',
    replace: '',
    caughtBy: {
      test: 'server/ledger/verify/verify-tampering.test.ts',
      title: 'the history of a wallet with new operations is rewritten',
    },
  },
  {
    name: 'concurrent writers read the same end of the hash chain',
    file: 'server/database/migrations/0006-admin.sql',
    find: '  perform pg_advisory_xact_lock(7241865325823967);\n',
    replace: '',
    caughtBy: {
      test: 'server/admin/audit/chain-audit.test.ts',
      title: 'contains the entries of concurrent transactions',
    },
  },
  {
    name: 'the entry about a pause is not in the transaction of the pause',
    file: 'server/admin/switches/pause-writes.ts',
    find: 'await ledger.setPause(pause, tx)',
    replace: 'await ledger.setPause(pause)',
    caughtBy: {
      test: 'server/admin/audit/entry-first.test.ts',
      title: '500 changes nothing if the entry is refused when it is inserted',
    },
  },
  // Events, webhooks and background jobs.
  {
    name: 'events are numbered by the position in the outbox, so a late one is skipped',
    file: 'server/events/feed/queries.ts',
    find: 'where position = any(array(select position from events.outbox order by position limit $1))',
    replace: `where position = any(array(select position from events.outbox
          where position > (select coalesce(max(last_sequence), 0) from events.feeds) order by position limit $1))`,
    caughtBy: {
      test: 'server/events/feed/number-events.test.ts',
      title: 'an event whose transaction commits late gets the next number and is not skipped',
    },
  },
  {
    name: 'the feed reports events that the standby may not have',
    file: 'server/events/feed/read-page.ts',
    find: 'return readDurably(db, config.requiresStandby, (tx) => readEvents(tx, request))',
    replace: `const tx = await db.connect()
  void readDurably
  try {
    return await readEvents(tx, request)
  } finally {
    tx.release()
  }`,
    caughtBy: {
      test: 'server/events/feed/standby.test.ts',
      title: 'report no event that the standby may not have',
    },
  },
  {
    name: 'a dispute freezes the wallet outside the transaction of its event',
    file: 'server/topup/apply-dispute.ts',
    find: 'const isChanged = await ledger.setWalletActive(walletId, false, tx)',
    replace: 'const isChanged = await ledger.setWalletActive(walletId, false)',
    caughtBy: {
      test: 'server/topup/topup-events.test.ts',
      title: 'once for a dispute, also if a process stops after it has frozen the wallet',
    },
  },
  {
    name: 'the reader of new operations stores its position before its jobs have worked',
    file: 'server/books/read-new-operations.ts',
    find: 'const hasMore = await inTransaction(db, (tx) => readStep(tx, started, stepMs))',
    replace: `await run(db, setPosition(due.before))
    const hasMore = await inTransaction(db, (tx) => readStep(tx, started, stepMs))`,
    caughtBy: {
      test: 'server/books/read-new-operations.test.ts',
      title: 'leaves nothing behind if a job fails',
    },
  },
  {
    name: 'two processes send to the same webhook at once',
    file: 'server/events/webhooks/delivery-queries.ts',
    find: 'const LEASE_SECONDS = 60',
    replace: 'const LEASE_SECONDS = 0',
    caughtBy: {
      test: 'server/events/webhooks/deliver.test.ts',
      title: 'is sent by one of several processes, once',
    },
  },
  {
    name: 'the addresses of a webhook are checked only when it is entered',
    file: 'server/events/webhooks/check-target.ts',
    find: 'callbackify((name: string) => resolvePublic(name, rules))',
    replace: 'callbackify((name: string) => rules.resolve(name))',
    caughtBy: {
      test: 'server/events/webhooks/check-target.test.ts',
      title: 'a name that changes its address is not reached',
    },
  },
  // Cards and the processor.
  {
    name: 'a charge in doubt is repeated although the person has switched it off',
    file: 'server/topup/automatic/charge-topup.ts',
    find: 'topup.isOld || !(await isWanted(tools, topup))',
    replace: 'topup.isOld && !(await isWanted(tools, topup))',
    caughtBy: {
      test: 'server/topup/automatic/charge-topup.test.ts',
      title: 'charges nothing if it is switched off before the charge',
    },
  },
  {
    name: 'the proof for one client app lets another one charge the card',
    file: 'server/topup/cards/pay-in-widget.ts',
    find: 'proof?.userId === session.userId && proof.clientAppId === session.clientApp.id',
    replace: 'proof?.userId === session.userId',
    caughtBy: {
      test: 'server/topup/cards/pay-in-widget.test.ts',
      title: '401 LOGIN_REQUIRED with the ticket of another person or for another app',
    },
  },
  {
    name: 'a refund is sent although the wallet got its money back',
    file: 'server/topup/refund-topup.ts',
    find: '  if (await isReleased(tools, refund)) {',
    replace: `  if (refund.status === 'released') {`,
    caughtBy: {
      test: 'server/topup/finish-refunds.test.ts',
      title: 'are not sent after the wallet got its money back',
    },
  },
  {
    name: 'an event that the processor lists late is never polled',
    file: 'server/topup/sweep.ts',
    find: 'const OVERLAP_SECONDS = 15 * 60',
    replace: 'const OVERLAP_SECONDS = 15',
    caughtBy: {
      test: 'server/topup/sweep.test.ts',
      title: 'finds an event that the processor lists ten minutes late',
    },
  },
  // Apps, people and secrets.
  {
    name: 'an app revokes the secret of another app',
    file: 'server/client-app/secret-queries.ts',
    find: 'where client_app_id = $1 and id = $2 and revoked_at is null returning id',
    replace: 'where $1::bigint is not null and id = $2 and revoked_at is null returning id',
    caughtBy: {
      test: 'server/cli/client-app.test.ts',
      title: 'revoke-secret revokes a secret of this app',
    },
  },
  {
    name: 'a revoked client app is trusted for seconds while the database is away',
    file: 'server/client-app/client-app-cache.ts',
    find: 'const CACHE_MAX_AGE_MS = 750',
    replace: 'const CACHE_MAX_AGE_MS = 7_500',
    caughtBy: {
      test: 'server/client-app/client-app-cache.test.ts',
      title: 'are not trusted for longer than a second',
    },
  },
  {
    name: 'an old password that was checked before a reset still starts a login',
    file: 'server/account/log-in-queries.ts',
    find: 'where service_user_id = $2 and password_hash = $5 for share',
    replace: 'where service_user_id = $2 and $5::text is not null for share',
    caughtBy: {
      test: 'server/identity/reset-password.test.ts',
      title: 'lets nobody continue whose old password was checked right before it',
    },
  },
  {
    name: 'a passkey logs in whoever the response names',
    file: 'server/identity/passkeys/log-in-by-passkey.ts',
    find: 'passkey === undefined || signed.response.userHandle !== handleOf(passkey.userId)',
    replace: 'passkey === undefined',
    caughtBy: {
      test: 'server/account/passkey-log-in.test.ts',
      title:
        '400 PASSKEY_INVALID for another key, an unknown passkey, and the passkey of another person',
    },
  },
  {
    name: 'the link for a new password goes to the address as it was typed',
    file: 'server/identity/reset-password.ts',
    find: 'mailer?.send(person.email, chooseMails(',
    replace: 'mailer?.send(email, chooseMails(',
    caughtBy: {
      test: 'server/identity/forgot-password.test.ts',
      title: '200 sends a link to the address of the account for every spelling',
    },
  },
  {
    name: 'the log contains the query string',
    file: 'server/http/request-log.ts',
    find: `const route = request.routeOptions.url ?? 'unknown'`,
    replace: 'const route = request.url',
    caughtBy: {
      test: 'server/http/canaries.test.ts',
      title: 'unknown addresses and methods are not logged',
    },
  },
  // HTTP, pages and configuration.
  {
    name: 'a body with two amounts posts the first one',
    file: 'server/http/parse-json.ts',
    find: 'return isFlat && isLiteral && text.indexOf(KEY) === text.lastIndexOf(KEY)',
    replace: 'return isFlat && isLiteral',
    caughtBy: {
      test: 'server/http/parse-json.test.ts',
      title: 'takes the last of two amounts, as JSON does',
    },
  },
  {
    name: 'any site can frame the top-up page',
    file: 'server/pages/widget-policies.ts',
    find: `    'frame-src': frame,
    'frame-ancestors': ancestors(parentOrigins),
`,
    replace: "    'frame-src': frame,\n",
    caughtBy: {
      test: 'server/pages/page-headers.test.ts',
      title: 'the top-up page with a session',
    },
  },
  {
    name: 'any page of the app counts for a session that is bound to one origin',
    file: 'server/pages/find-frame.ts',
    find: 'const isFromApp = seenOrigin !== undefined && !isBoundElsewhere',
    replace: 'const isFromApp = seenOrigin !== undefined',
    caughtBy: {
      test: 'server/pages/session-links.test.ts',
      title: 'with a session for one origin comes from the app only if that origin opened it',
    },
  },
  {
    name: 'other sites can send requests with the login cookie',
    file: 'server/http/page-route.ts',
    find: `sameSite: 'strict'`,
    replace: `sameSite: 'none'`,
    caughtBy: {
      test: 'server/account/log-in.test.ts',
      title: '200 sets a SameSite=Strict cookie and stores only its hash',
    },
  },
  {
    name: 'an internal error counts as a refusal, so a retry gets a new id',
    file: 'web/admin/kit/explain-grant.ts',
    find: 'result.status >= 500',
    replace: 'result.status > 500',
    caughtBy: {
      test: 'web/admin/kit/explain-grant.test.ts',
      title: 'is unknown after a lost response and any error of the server',
    },
  },
  {
    name: 'with real money, a database may have a certificate for another host',
    file: 'server/config/check-live-config.ts',
    find: `searchParams.get('sslmode') === 'verify-full'`,
    replace: `searchParams.get('sslmode')?.startsWith('verify') === true`,
    caughtBy: {
      test: 'server/config/check-live-config.test.ts',
      title: 'does not start with PostgreSQL on another machine and "?sslmode=verify-ca"',
    },
  },
]
