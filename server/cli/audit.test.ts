/** The audit log on the command line: every command that changes something, and `verify` and `checkpoint`. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stripeEnv } from '../../sandbox/stripe-env.ts'
import { activateClientApp } from '../client-app/activate-client-app.ts'
import { ADMIN_ENV } from '../test/admin-setup.ts'
import { openAdminTopupSetup, withTopup, type AdminTopupSetup } from '../test/admin-topup-setup.ts'
import { makeClientApp } from '../test/factories.ts'
import { TEST_ADMIN_KEY, TEST_PEPPER, testEnv } from '../test/harness.ts'
import { writeKeyCopy } from './key-copy.ts'
import { changesNothing, findChanges } from '../test/setup.ts'
import { beginAndPay, withNewUser } from '../test/topup-setup.ts'

const script = fileURLToPath(new URL('../coffer.ts', import.meta.url))
const NEXT = `next:${Buffer.alloc(32, 4).toString('base64')}`

let setup: AdminTopupSetup
before(async () => {
  setup = await openAdminTopupSetup({ VERIFY_PERCENT: '0' })
  await setup.harness.admin.query(`
    create function admin.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before insert on admin.audit_chain for each row execute function admin.refuse();
    alter table admin.audit_chain disable trigger refuse`)
})
after(() => setup.close())

function coffer(...args: string[]): Promise<{ code: number; text: string }> {
  const env = {
    PATH: process.env['PATH'],
    ...testEnv(setup.harness.databaseUrl),
    ...ADMIN_ENV,
    ...stripeEnv(setup.sandbox),
    ADMIN_KEYS: `${NEXT},${TEST_ADMIN_KEY}`,
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    )
  })
}

const newApp = async () =>
  (await makeClientApp(setup.harness.context, { creditLimit: 10_00n })).clientId

async function secretOf(clientId: string): Promise<string> {
  const { rows } = await setup.harness.admin.query<{ id: string }>(
    `select s.id from directory.client_secrets s join directory.client_apps a on a.id = s.client_app_id
     where a.client_id = $1`,
    [clientId],
  )
  return rows[0]?.id ?? assert.fail()
}

const ACCOUNT = { except: ['ledger.accounts', 'directory.key_fingerprints'] }

/** The command, how to prepare it, and its action. */
const COMMANDS: {
  action: string
  args: () => Promise<string[]> | string[]
  /** Tables that change although the command fails: an account without an app stays unused, and a key is recorded when it is first used. */
  except?: string[]
}[] = [
  {
    action: 'client_app.create',
    args: () => ['client-app', 'create', 'Shop', '--credit-limit', '10'],
    ...ACCOUNT,
  },
  {
    action: 'client_app.rotate',
    args: async () => ['client-app', 'rotate-secret', await newApp()],
  },
  {
    action: 'client_app.revoke',
    args: async () => {
      const clientId = await newApp()
      return ['client-app', 'revoke-secret', clientId, await secretOf(clientId)]
    },
  },
  {
    action: 'client_app.activate',
    args: async () => ['client-app', 'deactivate', await newApp()],
  },
  {
    action: 'client_app.activate',
    args: async () => {
      const clientId = await newApp()
      await activateClientApp(setup.harness.context.db, clientId, false)
      return ['client-app', 'activate', clientId]
    },
  },
  {
    action: 'client_app.change',
    args: async () => ['client-app', 'on-mismatch', await newApp(), 'conflict'],
  },
  {
    action: 'client_app.change',
    args: async () => ['client-app', 'balance-events', await newApp(), 'on'],
  },
  {
    action: 'client_app.credit_limit',
    args: async () => ['client-app', 'set-credit-limit', await newApp(), '50'],
  },
  {
    action: 'operator.create',
    args: () => ['operator', 'create', `o${Date.now()}@example.com`, 'Olga', '--role', 'viewer'],
  },
  { action: 'keys.reseal', args: () => ['keys', 'reseal'] },
  {
    action: 'keys.check',
    async args() {
      const folder = mkdtempSync(join(tmpdir(), 'coffer-audit-'))
      const [copy, passphrase] = [join(folder, 'copy'), join(folder, 'passphrase')]
      const secrets = { SECRET_PEPPERS: TEST_PEPPER, ADMIN_KEYS: `${NEXT},${TEST_ADMIN_KEY}` }
      writeFileSync(copy, await writeKeyCopy(secrets, 'secret'))
      writeFileSync(passphrase, 'secret', { mode: 0o600 })
      return ['keys', 'check', copy, '--passphrase-file', passphrase]
    },
  },
  {
    action: 'demo_user.create',
    async args() {
      await setup.harness.admin.query('update ledger.demo set is_demo = true')
      return ['demo-user', await newApp()]
    },
  },
  {
    action: 'topup.refund',
    args: async () => ['refund', (await withTopup(setup)).id, '5'],
  },
  {
    action: 'topup.credit_missing',
    args: async () => {
      await beginAndPay(await withNewUser(setup), 20)
      const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
      return ['reconcile', '--credit-missing', '--from', day]
    },
  },
  { action: 'writes.pause', args: () => ['pause', 'Strange debits, ticket 4711'] },
  { action: 'writes.pause', args: () => ['resume'] },
]

describe('a command that changes something', () => {
  for (const { action, args, except = [] } of COMMANDS) {
    it(`${action} changes nothing if its audit entry cannot be written`, async () => {
      const { admin } = setup.harness
      const given = await args()
      await admin.query('alter table admin.audit_chain enable trigger refuse')
      const refunds = setup.sandbox.state.refunds.size
      try {
        await changesNothing(
          setup,
          async () => assert.equal((await coffer(...given)).code, 1),
          except,
        )
      } finally {
        await admin.query('alter table admin.audit_chain disable trigger refuse')
      }
      assert.equal(setup.sandbox.state.refunds.size, refunds)
      const changed = await findChanges(setup, async () => {
        const { code, text } = await coffer(...given)
        assert.equal(code, 0, text)
      })
      assert(changed.some((table) => !table.startsWith('admin.audit') && !except.includes(table)))
      const { rows } = await admin.query(
        'select actor, action from admin.audit order by id desc limit 1',
      )
      assert.deepEqual(rows, [{ actor: 'command line', action }])
    })
  }
})

describe('commands with files', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-audit-'))
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    writeFileSync(join(folder, 'key'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
    writeFileSync(join(folder, 'key.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('commands of the owner of the database are recorded before they start', async () => {
    const key = join(folder, 'key')
    const archive = ['archive', '--before', '2020-01', '--to', folder, '--key', key]
    for (const args of [archive, ['repair-partitions']]) {
      const { code, text } = await coffer(...args)
      assert.equal(code, 0, text)
    }
    const { rows } = await setup.harness.admin.query(
      'select actor, action, after from admin.audit order by id desc limit 2',
    )
    assert.deepEqual(rows, [
      { actor: 'command line', action: 'ledger.repair_partitions', after: null },
      { actor: 'command line', action: 'ledger.archive', after: { before: '2020-01' } },
    ])
  })

  it('verify and checkpoint find removed entries of the audit log', async () => {
    const { admin } = setup.harness
    const file = join(folder, 'checkpoint')
    const written = await coffer('checkpoint', file, '--key', join(folder, 'key'))
    assert.match(written.text, /Wrote the heads of \d+ wallets and of the audit log/)
    const checked = ['verify', '--checkpoint', file, '--key', join(folder, 'key.pub')]
    const isSound = /The books are sound: .*\nThe audit log is sound: \d+ entries\.\n$/s
    for (const args of [['verify'], checked, [...checked, '--incremental']]) {
      const { code, text } = await coffer(...args)
      assert.match(text, isSound)
      assert.equal(code, 0)
    }
    await admin.query(`
      delete from admin.audit where id = (select audit_id from admin.audit_chain order by seq desc limit 1);
      delete from admin.audit_chain where seq = (select max(seq) from admin.audit_chain)`)
    assert.match((await coffer('verify')).text, isSound)
    for (const args of [checked, [...checked, '--incremental']]) {
      const { code, text } = await coffer(...args)
      assert.match(text, /The audit log is NOT sound\..*\n.*is missing, but the checkpoint has it/)
      assert.equal(code, 1)
    }
  })
})
