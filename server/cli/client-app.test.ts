import { readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClientApp, makeUser } from '../test/factories.ts'
import { testEnv } from '../test/harness.ts'
import { call, openSetup, type Setup } from '../test/setup.ts'

describe('coffer client-app', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const run = promisify(execFile)
  const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))

  /** Returns the output, or the error message of a command that fails. */
  async function clientApp(...args: string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], ...testEnv(setup.harness.databaseUrl) }
    try {
      return (await run(process.execPath, [script, 'client-app', ...args], { env })).stdout
    } catch (error) {
      return (error as { stderr: string }).stderr
    }
  }

  type Credentials = Pick<Setup['app'], 'clientId' | 'clientSecret'>

  /** Whether the credentials are accepted; if so, the request fails only because the user is unknown. */
  async function isAccepted({ clientId, clientSecret }: Credentials): Promise<boolean> {
    const app = { ...setup.app, clientId, clientSecret }
    const fields = { serviceUserId: `su_${'0'.repeat(32)}` }
    const { code } = (await call({ ...setup, app }, readWallet, fields)).json<{ code: string }>()
    assert.match(code, /^(USER_NOT_FOUND|INVALID_CLIENT)$/)
    return code === 'USER_NOT_FOUND'
  }

  /** Every process notices a change within a second. */
  async function until(expected: boolean, credentials: Credentials) {
    const endMs = performance.now() + 30_000
    while ((await isAccepted(credentials)) !== expected) {
      assert(performance.now() < endMs, 'no process noticed the change')
      await sleep(20)
    }
  }

  it('changes a credit limit from unlimited to an amount and back, and records it', async () => {
    const { context, admin } = setup.harness
    const { clientId, ledgerAccount: account } = await makeClientApp(context)
    const set = (limit: string) => clientApp('set-credit-limit', clientId, limit)
    const { walletId } = await makeUser(context)
    const pair = { referenceType: 'TEST', referenceId: 'limit', description: null }
    const credit = {
      kind: 'credit',
      walletId,
      amountMinor: 1_234n,
      counterAccount: account,
    } as const
    await context.ledger.post({ ...credit, ...pair })
    assert.match(await set('12.33'), /owes more than this limit/)
    assert.match(await set('50'), /is 50\.00\. Its balance is -12\.34\.$/m)
    assert.match(await set('12.33'), /owes more than this limit/)
    assert.equal((await context.ledger.readAccount(account))?.creditLimit, 50_00n)
    assert.match(await set('unlimited'), /is unlimited\.$/m)
    assert.deepEqual(await context.ledger.readAccount(account), {
      creditLimit: null,
      balance: null,
    })
    const { rows } = await admin.query(
      `select actor, before ->> 'creditLimit' as was, after ->> 'creditLimit' as is from admin.audit
       where action = 'client_app.credit_limit' and subject = $1 order by id`,
      [clientId],
    )
    assert.deepEqual(rows, [
      { actor: 'command line', was: 'unlimited', is: '50.00' },
      { actor: 'command line', was: '50.00', is: 'unlimited' },
    ])
  })

  const secretOf = (text: string) => /coffer_sk_[\w-]+/.exec(text)?.[0] ?? assert.fail(text)

  async function endsOf({ id }: Pick<Setup['app'], 'id'>) {
    const { rows } = await setup.harness.admin.query<{ hours: number | null; is_revoked: boolean }>(
      `select round(extract(epoch from expires_at - now()) / 3600)::int as hours,
         revoked_at is not null as is_revoked
       from directory.client_secrets where client_app_id = $1 order by id`,
      [id],
    )
    return rows.map((row) => (row.is_revoked ? 'revoked' : row.hours))
  }

  it('create registers an app with exactly these settings and shows its secret once', async () => {
    const options = ['--credit-limit', '12.34', '--scope', 'wallet:read', '--accent', '#0a7c66']
    const origins = ['--origin', 'https://pay.example', '--parent', 'https://shop.example']
    const contact = ['--contact', 'dev@shop.example']
    const output = await clientApp('create', 'New shop', ...options, ...origins, ...contact)
    const clientId = /COFFER_CLIENT_ID=(app_[0-9a-f]{24})/.exec(output)?.[1] ?? assert.fail(output)
    assert.equal(await isAccepted({ clientId, clientSecret: secretOf(output) }), true)
    const { rows } = await setup.harness.admin.query(
      `select a.name, a.scopes, a.allowed_origins, a.allowed_iframe_parents, a.accent_color, l.credit_limit,
         a.contact_emails, a.on_mismatch
       from directory.client_apps a join ledger.accounts l on l.id = a.account_id where client_id = $1`,
      [clientId],
    )
    assert.deepEqual(rows, [
      {
        name: 'New shop',
        scopes: ['wallet:read'],
        allowed_origins: ['https://pay.example'],
        allowed_iframe_parents: ['https://shop.example'],
        accent_color: '#0a7c66',
        credit_limit: '1234',
        contact_emails: ['dev@shop.example'],
        on_mismatch: 'conflict',
      },
    ])
    const list = await clientApp('list')
    assert.match(list, new RegExp(`${clientId} {2}active {4}1 valid secret {2}wallet:read`))
    assert(!list.includes('coffer_sk_'))
    const taken = await clientApp('create', 'Other', ...options, ...origins)
    assert.match(taken, /https:\/\/shop\.example is already an iframe parent of app_/)
  })

  it('create rejects a contact that is not an email address', async () => {
    const output = await clientApp('create', 'Shop', '--credit-limit', '1', '--contact', 'dev')
    assert.match(output, /--contact dev is not a valid email address\./)
  })

  it('on-mismatch changes what a repeat with other values gets, and records it', async () => {
    const { admin } = setup.harness
    const lenient = ['--credit-limit', '1', '--on-mismatch', 'replay']
    const output = await clientApp('create', 'Lenient shop', ...lenient)
    const clientId = /COFFER_CLIENT_ID=(app_[0-9a-f]{24})/.exec(output)?.[1] ?? assert.fail(output)
    const read = async () => {
      const { rows } = await admin.query<{ on_mismatch: string }>(
        'select on_mismatch from directory.client_apps where client_id = $1',
        [clientId],
      )
      return rows[0]?.on_mismatch
    }
    assert.equal(await read(), 'replay')
    assert.match(await clientApp('on-mismatch', clientId, 'conflict'), /409 REFERENCE_MISMATCH/)
    assert.equal(await read(), 'conflict')
    assert.match(await clientApp('on-mismatch', clientId, 'replay'), /outcome of the first request/)
    assert.equal(await read(), 'replay')
    assert.match(await clientApp('on-mismatch', clientId, 'maybe'), /Use replay or conflict/)
    assert.match(await clientApp('on-mismatch', 'app_unknown', 'replay'), /app_unknown not found/)
    const { rows } = await admin.query<{ after: object }>(
      `select after from admin.audit where subject = $1 and action = 'client_app.change' order by id`,
      [clientId],
    )
    assert.deepEqual(
      rows.map(({ after: each }) => each),
      [{ onMismatch: 'conflict' }, { onMismatch: 'replay' }],
    )
  })

  it('balance-events turns the event balance.changed on and off, and records it', async () => {
    const { admin } = setup.harness
    const output = await clientApp('create', 'Shop', '--credit-limit', '1', '--balance-events')
    const clientId = /COFFER_CLIENT_ID=(app_[0-9a-f]{24})/.exec(output)?.[1] ?? assert.fail(output)
    const isOn = async () => {
      const { rows } = await admin.query<{ is_on: boolean }>(
        'select balance_events_since is not null as is_on from directory.client_apps where client_id = $1',
        [clientId],
      )
      return rows[0]?.is_on
    }
    assert.equal(await isOn(), true)
    assert.match(await clientApp('balance-events', clientId, 'off'), /no longer gets/)
    assert.equal(await isOn(), false)
    assert.match(await clientApp('balance-events', clientId, 'on'), /now gets the event/)
    assert.equal(await isOn(), true)
    assert.match(await clientApp('balance-events', clientId, 'maybe'), /Use on or off/)
    assert.match(await clientApp('balance-events', 'app_unknown', 'on'), /app_unknown not found/)
    const { rows } = await admin.query<{ after: object }>(
      `select after from admin.audit where subject = $1 and action = 'client_app.change' order by id`,
      [clientId],
    )
    assert.deepEqual(
      rows.map(({ after: each }) => each),
      [{ getsBalanceEvents: false }, { getsBalanceEvents: true }],
    )
  })

  it('rotate-secret keeps the old secret for a day, or revokes it immediately with the overlap none', async () => {
    const app = await makeClientApp(setup.harness.context)
    const output = await clientApp('rotate-secret', app.clientId)
    assert.match(output, /The old secret expires in 24h\./)
    const rotated = { ...app, clientSecret: secretOf(output) }
    await until(true, rotated)
    assert.equal(await isAccepted(app), true)
    assert.deepEqual(await endsOf(app), [24, null])
    const last = await clientApp('rotate-secret', app.clientId, '--overlap', 'none')
    assert.match(last, /The old secret is revoked\./)
    await until(false, rotated)
    await until(true, { ...app, clientSecret: secretOf(last) })
    assert.deepEqual(await endsOf(app), ['revoked', 'revoked', null])
  })

  it('rotate-secret with a name creates a restricted secret, and leaves the other one alone', async () => {
    const app = await makeClientApp(setup.harness.context)
    const words = ['--name', 'reports', '--scope', 'wallet:read', '--network', '203.0.113.0/24']
    const output = await clientApp('rotate-secret', app.clientId, ...words)
    assert.match(output, /Restricted secret "reports": wallet:read, from 203\.0\.113\.0\/24\./)
    assert.match(output, /An old secret with this name expires in 24h\./)
    assert.deepEqual(await endsOf(app), [null, null])
    assert.match(await clientApp('revoke-secret', app.clientId), /"reports": wallet:read/)
    const faults: [string[], RegExp][] = [
      [['--scope', 'wallet:read'], /needs a name: add --name/],
      [['--name', 'Reports', '--scope', 'wallet:read'], /--name must be 1 to 30 lowercase/],
      [['--name', 'reports'], /--scope must have at least one scope/],
      [
        ['--name', 'a', '--scope', 'wallet:read', '--network', '1.2.3.4'],
        /--network must be a network/,
      ],
    ]
    for (const [wrong, text] of faults) {
      assert.match(await clientApp('rotate-secret', app.clientId, ...wrong), text)
    }
    assert.deepEqual(await endsOf(app), [null, null])
  })

  it('revoke-secret revokes a secret of this app, and of no other', async () => {
    const { context } = setup.harness
    const [app, other] = [await makeClientApp(context), await makeClientApp(context)]
    const id = /^\d+/m.exec((await clientApp('revoke-secret', app.clientId)).trim())?.[0] ?? ''
    const refused = await clientApp('revoke-secret', other.clientId, id)
    assert.match(refused, /has no valid secret with the id/)
    assert.deepEqual([await endsOf(app), await endsOf(other)], [[null], [null]])
    assert.match(await clientApp('revoke-secret', app.clientId, id), /is revoked/)
    await until(false, app)
    assert.equal(await isAccepted(other), true)
  })

  it('deactivate makes the service reject the credentials, and activate makes it accept them again', async () => {
    const app = await makeClientApp(setup.harness.context)
    assert.match(await clientApp('deactivate', app.clientId), /is inactive/)
    await until(false, app)
    assert.match(await clientApp('activate', app.clientId), /is active/)
    await until(true, app)
  })
})
