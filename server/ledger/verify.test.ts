import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { giveBonus, makeClientApp, makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { verify, type VerifyOptions } from './verify.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string

let harness: Harness
let folder: string
let walletId: bigint
let files = 0

before(async () => {
  harness = await startHarness()
  folder = mkdtempSync(join(tmpdir(), 'coffer-verify-'))
  const limited = await makeClientApp(harness.context, { creditLimit: 1_000_000n })
  walletId = (await makeUser(harness.context, 10_000n)).walletId
  const { ledger } = harness.context
  for (let index = 0; index < 9; index++) await giveBonus(ledger, walletId, 100n)
  for (const [kind, amountMinor] of [
    ['credit', 700n],
    ['debit', 900n],
    ['seizure', 50_000n],
    ['topup', 80_000n],
    ['reversal', 5n],
    ['correction_in', 30n],
    ['correction_out', 10n],
  ] as const) {
    await ledger.post({
      kind,
      referenceType: 'VERIFY',
      referenceId: kind,
      walletId,
      amountMinor,
      counterAccount: kind === 'credit' || kind === 'debit' ? limited.account : 1,
      description: 'words',
    })
  }
  for (let index = 0; index < 30; index++) await makeUser(harness.context, 500n)
})

after(async () => {
  rmSync(folder, { recursive: true })
  await harness.end()
})

async function withClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const faultOf = async (options: VerifyOptions = {}) =>
  (await withClient((client) => verify(client, options))).fault

async function takeCheckpoint(): Promise<string> {
  const file = join(folder, `checkpoint-${++files}`)
  await withClient((client) => writeCheckpoint(client, file, privatePem, () => undefined))
  return file
}

/** Does something that the service's role could never do, looks what the verifier says, and undoes it. */
async function tamper(change: string, look: () => Promise<void>) {
  const tables = ['wallets', 'operations', 'operation_keys', 'accounts']
  for (const table of tables) {
    await harness.admin.query(`create table backup_${table} as select * from ledger.${table}`)
  }
  try {
    await harness.admin.query(change)
    await look()
  } finally {
    for (const table of tables) {
      await harness.admin.query(`delete from ledger.${table}`)
      await harness.admin.query(
        `insert into ledger.${table} overriding system value select * from backup_${table}`,
      )
      await harness.admin.query(`drop table backup_${table}`)
    }
  }
}

const wallet = () => `wallet ${walletId}`

describe('verify', () => {
  it('finds sound books sound, whole and incrementally', async () => {
    const file = await takeCheckpoint()
    assert.equal(await faultOf(), undefined)
    assert.equal(await faultOf({ checkpoint: readCheckpoint(file, publicPem) }), undefined)
    await giveBonus(harness.context.ledger, walletId, 3n)
    const checkpoint = readCheckpoint(file, publicPem)
    const report = await withClient((client) => verify(client, { checkpoint, onlySince: true }))
    assert.deepEqual(report, { wallets: 31, operations: 1, fault: undefined })
  })

  it('names the operation with a flipped byte, whatever the column', async () => {
    const where = `where wallet_id = ${walletId} and seq = 7`
    const changes = [
      `hash = set_byte(hash, 31, get_byte(hash, 31) # 1)`,
      `amount = amount + 1`,
      `balance_after = balance_after + 1`,
      `counter_account = 1`,
      `created_at = created_at + interval '1 ms'`,
      `kind = 'topup'`,
      `reference_id = 'x'`,
    ]
    for (const change of changes) {
      await tamper(`update ledger.operations set ${change} ${where}`, async () => {
        assert.equal(await faultOf(), `${wallet()}, operation 7: the hash does not match the row`)
      })
    }
    await tamper(`delete from ledger.operation_keys ${where}`, async () => {
      assert.match(String(await faultOf()), /operation 7: the key of its reference is missing/)
    })
  })

  it('does not mind an erased description', async () => {
    await tamper(`update ledger.operations set description = null`, async () => {
      assert.equal(await faultOf(), undefined)
    })
  })

  it('names a missing row, in the middle and at the end', async () => {
    await tamper(
      `delete from ledger.operations where wallet_id = ${walletId} and seq = 5`,
      async () => assert.equal(await faultOf(), `${wallet()}, operation 5: the row is missing`),
    )
    await tamper(
      `delete from ledger.operations where wallet_id = ${walletId} and seq = 16`,
      async () => assert.equal(await faultOf(), `${wallet()}, operation 16: the row is missing`),
    )
  })

  it('names a forged balance, debt and head', async () => {
    const forge = (change: string) => `update ledger.wallets set ${change} where id = ${walletId}`
    await tamper(forge('balance = balance + 1'), async () => {
      assert.match(String(await faultOf()), new RegExp(`^${wallet()}: the balance is \\d+, its`))
    })
    await tamper(forge('debt = debt + 1'), async () => {
      assert.match(String(await faultOf()), new RegExp(`^${wallet()}: the debt is 1`))
    })
    await tamper(forge(`head_hash = sha256('x')`), async () => {
      assert.equal(await faultOf(), `${wallet()}: the head hash differs from its last operation's`)
    })
    await tamper(
      `update ledger.accounts set balance = balance + 1 where balance is not null`,
      async () => {
        assert.match(
          String(await faultOf()),
          /^account \d+: the balance is 201, its operations add up to 200/,
        )
      },
    )
  })

  it('shows with a checkpoint that a tail was cut off, a wallet removed or a history rewritten', async () => {
    const file = await takeCheckpoint()
    const checked = () => faultOf({ checkpoint: readCheckpoint(file, publicPem) })
    // A thorough forger cuts the operation, its key, and sets the wallet back; only the checkpoint knows better.
    const cut = `
      update ledger.wallets w set balance = o.balance_after, debt = coalesce(o.debt_after, 0), seq = o.seq, head_hash = o.hash
        from ledger.operations o where o.wallet_id = w.id and w.id = ${walletId} and o.seq = 17;
      delete from ledger.operation_keys where wallet_id = ${walletId} and seq = 18;
      delete from ledger.operations where wallet_id = ${walletId} and seq = 18`
    await tamper(cut, async () => {
      assert.equal(await faultOf(), undefined)
      assert.match(
        String(await checked()),
        new RegExp(`^${wallet()}, operation 18: newer operations are missing`),
      )
      const since = { checkpoint: readCheckpoint(file, publicPem), onlySince: true }
      assert.match(String(await faultOf(since)), /newer operations are missing/)
    })
    const last = 'select max(id) from ledger.wallets'
    await tamper(
      `delete from ledger.operations where wallet_id = (${last}); delete from ledger.operation_keys where wallet_id = (${last}); delete from ledger.wallets where id = (${last})`,
      async () => assert.match(String(await checked()), /^wallet \d+: the wallet is missing$/),
    )
  })

  it('refuses a checkpoint that was altered, cut short or signed by another', async () => {
    const file = await takeCheckpoint()
    const whole = readFileSync(file, 'utf8')
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })
    const refusal = { message: /signature .* is invalid/ }
    const read = (key: string) => faultOf({ checkpoint: readCheckpoint(file, key) })
    await assert.rejects(read(other as string), refusal)
    writeFileSync(file, whole.replace(' 500 ', ' 501 '))
    await assert.rejects(read(publicPem), refusal)
    writeFileSync(file, whole.slice(0, whole.length / 2))
    await assert.rejects(read(publicPem), refusal)
  })

  it('finds a key whose operation is gone and an operation whose wallet is gone', async () => {
    await tamper(
      `insert into ledger.operation_keys (digest, wallet_id, seq, decided_at) values (gen_random_uuid(), ${walletId}, 99, now())`,
      async () =>
        assert.match(String(await faultOf()), /operation 99: the row is missing, its key/),
    )
    await tamper(
      'delete from ledger.wallets where id = (select max(id) from ledger.wallets)',
      async () => assert.match(String(await faultOf()), /operation 1: the wallet is missing/),
    )
  })
})
