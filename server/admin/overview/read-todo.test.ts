import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { activateClientApp } from '../../client-app/activate-client-app.ts'
import { openAdminSetup, type AdminSetup } from '../../test/admin-setup.ts'
import { makeClientApp, makeUser } from '../../test/factories.ts'
import { readTodo } from './read-todo.ts'

describe('what waits for an operator', () => {
  let setup: AdminSetup
  before(async () => {
    setup = await openAdminSetup()
  })
  after(() => setup.harness.end())

  it('counts approvals and disputes, and names apps whose webhooks fail', async () => {
    const { harness, operator } = setup
    const { context, admin } = harness
    assert.deepEqual(await readTodo(context.db), {
      approvals: 0,
      disputes: 0,
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
    const todo = await readTodo(context.db)
    assert.deepEqual([todo.approvals, todo.disputes], [1, 2])
    const names = todo.webhookApps.map(({ name }) => name)
    assert.deepEqual(names, ['App with failures', 'Bad app', 'Ended app'])
    assert.equal(todo.moreWebhookApps, 1)
  })
})
