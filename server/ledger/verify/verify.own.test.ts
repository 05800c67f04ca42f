import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { clientConfig } from '../../database/connect.ts'
import { giveBonus, makeClientApp, makeUser } from '../../test/factories.ts'
import { startHarness, type Harness } from '../../test/harness.ts'
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts'
import { verify, type VerifyOptions } from './verify.ts'
import { FIRST_ID, LAST_ID, walkChains, type Limits, type Start, type Step } from './walk-chains.ts'

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
      counterAccount: kind === 'credit' || kind === 'debit' ? limited.ledgerAccount : 1,
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

describe('verify', () => {
  it('finds no fault in correct books, in a full and an incremental run', async () => {
    const file = await takeCheckpoint()
    assert.equal(await faultOf(), undefined)
    assert.equal(await faultOf({ checkpoint: readCheckpoint(file, publicPem) }), undefined)
    await giveBonus(harness.context.ledger, walletId, 3n)
    const checkpoint = readCheckpoint(file, publicPem)
    const report = await withClient((client) => verify(client, { checkpoint, isIncremental: true }))
    assert.deepEqual(report, { wallets: 31, operations: 1, fault: undefined })
  })

  it('never overwrites a checkpoint', async () => {
    const file = await takeCheckpoint()
    const written = readFileSync(file, 'utf8')
    await assert.rejects(
      withClient((client) => writeCheckpoint(client, file, privatePem, () => undefined)),
      { message: `${file} already exists. Write the checkpoint to a new file.` },
    )
    assert.equal(readFileSync(file, 'utf8'), written)
  })

  it('finds the same with several threads, in one snapshot', async () => {
    const threads = { databaseUrl: harness.databaseUrl, count: 3 }
    const file = await takeCheckpoint()
    const checkpoint = () => readCheckpoint(file, publicPem)
    const alone = await withClient((client) => verify(client, { checkpoint: checkpoint() }))
    const together = () =>
      withClient((client) => verify(client, { threads, checkpoint: checkpoint() }))
    assert.deepEqual(await together(), alone)
    assert.equal(alone.fault, undefined)
    const { admin } = harness
    const flip = `update ledger.operations set hash = set_byte(hash, 0, get_byte(hash, 0) # 1)
      where wallet_id = ${walletId} and seq = 5`
    await admin.query(flip)
    const { fault } = await together()
    await admin.query(flip)
    assert.equal(fault, `wallet ${walletId}, operation 5: the hash does not match the row`)
  })

  it('reports an error of a thread', async () => {
    const threads = { databaseUrl: 'postgres://nobody@127.0.0.1:1/nowhere', count: 2 }
    await assert.rejects(withClient((client) => verify(client, { threads })))
  })

  it('finds no fault if operations are stored in another order than that of time', async () => {
    await harness.admin.query(`begin; create table moved as select * from ledger.operations;
      delete from ledger.operations;
      insert into ledger.operations select * from moved order by seq desc, wallet_id; drop table moved; commit`)
    assert.equal(await faultOf(), undefined)
  })

  it('walks the same operations in steps of any size', async () => {
    await withClient(async (client) => {
      const walk = async (limits: Limits) => {
        const seen: [bigint, bigint][] = []
        let place: Start | undefined = { from: FIRST_ID }
        while (place) {
          const step: Step = await walkChains(client, { ...place, upTo: LAST_ID }, limits)
          assert.equal(step.fault, undefined)
          assert(step.operations.length <= limits.operations)
          seen.push(...step.operations.map(({ walletId: id, seq }): [bigint, bigint] => [id, seq]))
          place = step.next
        }
        return seen
      }
      const whole = await walk({ wallets: 1_000, operations: 1_000 })
      assert.equal(whole.length, 48)
      for (const limits of [
        { wallets: 1, operations: 1 },
        { wallets: 2, operations: 3 },
        { wallets: 31, operations: 4 },
        { wallets: 7, operations: 1_000 },
      ]) {
        assert.deepEqual(await walk(limits), whole)
      }
    })
  })

  it('reports progress up to the number of rows', async () => {
    const seen: [number, number][] = []
    const file = await takeCheckpoint()
    const onProgress = (done: number, total: number) => seen.push([done, total])
    await faultOf({ checkpoint: readCheckpoint(file, publicPem), isIncremental: true, onProgress })
    assert.deepEqual(seen.at(-1), [31, 31])
  })

  it('rejects a checkpoint that is altered, truncated or signed with another key', async () => {
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
})
