import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { activateClientApp } from '../../client-app/activate-client-app.ts'
import { openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { makeClientApp, makeUser } from '../../test/factories.ts'
import { COUNT_WAITING } from './queries.ts'
import { readTodo } from './read-todo.ts'

describe('what waits for an operator', () => {
  let setup: AdminSetup
  before(async () => {
    setup = await openAdminSetup()
  })
  after(() => setup.harness.end())

  it('counts approvals, disputes and frozen wallets, and names apps whose webhooks fail', async () => {
    const { harness, operator } = setup
    const { context, admin } = harness
    assert.deepEqual(await readTodo(context.db), {
      approvals: 0,
      disputes: 0,
      frozenWallets: 0,
      webhookApps: [],
      moreWebhookApps: 0,
    })
    const user = await makeUser(context)
    await admin.query(
      `insert into admin.grants (id, service_user_id, wallet_id, kind, amount, reason, needs_second, status, proposed_by,
          decided_at)
        select gen_random_uuid(), $1, $2, 'bonus', 100, 'For the test', needs_second, status, $3, decided_at
        from (values (true, 'open', null::timestamptz), (false, 'posted', now())) x(needs_second, status, decided_at)`,
      [user.id, user.walletId, operator.id],
    )
    const { rows } = await admin.query(
      `insert into directory.topups (service_user_id, wallet_id, amount) values ($1, $2, 500) returning id`,
      [user.id, user.walletId],
    )
    await admin.query(
      `insert into directory.disputes (id, topup_id, amount, status, reason, opened_at, respond_by, withdrawals,
          reinstatements, asked_at)
        select 'du_' || n, $1, 500, status, 'general', now(), now() + make_interval(days => days), '{}', '{}', now()
        from (values (1, 'needs_response', 7), (2, 'warning_needs_response', 7), (3, 'needs_response', -1),
          (4, 'under_review', 7)) x(n, status, days)`,
      [rows[0].id],
    )
    for (const [name, failing, disabled, isActive] of [
      ['App with failures', true, null, true],
      ['Bad app', false, 'gone', true],
      ['Calm app', false, null, true],
      ['Disabled app', true, null, false],
      ['Ended app', false, 'secret_ended', true],
      ['Failed app', true, 'failing', true],
      ['Quiet app', true, 'switched_off', true],
    ] as const) {
      const app = await makeClientApp(context, { name })
      await admin.query(
        `insert into events.webhooks (client_app_id, url, description, sealed_secret, key_id, failing_since, disabled_at,
            disabled_reason)
          values ($1, 'https://app.example', '', '', '', case when $2 then now() end, case when $3::text is not null then now() end, $3)`,
        [app.id, failing, disabled],
      )
      if (!isActive) await activateClientApp(context.db, app.clientId, false)
    }
    // A wallet that was closed while it was frozen is nobody's anymore.
    const [frozen, closed] = [await makeUser(context), await makeUser(context)]
    for (const { walletId } of [frozen, closed])
      await context.ledger.setWalletActive(walletId, false)
    await admin.query('update ledger.wallets set closed_at = now() where id = $1', [
      closed.walletId,
    ])
    const todo = await readTodo(context.db)
    assert.deepEqual([todo.approvals, todo.disputes, todo.frozenWallets], [1, 2, 1])
    const names = todo.webhookApps.map(({ name }) => name)
    assert.deepEqual(names, ['App with failures', 'Bad app', 'Ended app'])
    assert.equal(todo.moreWebhookApps, 1)
  })

  it('finds each count by an index of its own', async () => {
    const { db } = setup.harness.context
    const { rows } = await db.query<{ 'QUERY PLAN': string }>(`explain ${COUNT_WAITING.text}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    for (const index of ['grants_waiting', 'disputes_unanswered', 'wallets_frozen']) {
      assert.match(plan, new RegExp(`Index (Only )?Scan (using|on) ${index}`))
    }
  })
})
