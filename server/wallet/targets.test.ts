/**
 * The operation that a refund, capture or release names: in the same batch, decided otherwise, or written at this
 * moment.
 */
import { batch, type BatchResult } from '@coffer/contract/server/batch'
import { hold } from '@coffer/contract/server/holds'
import { credit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { digestPair } from '../ledger/digest.ts'
import { closeConnections, post, type ServiceResponse } from '../test/client.ts'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import { spawnService, type ServiceProcess } from '../test/harness.ts'
import { pairOf } from '../test/ledger/refund-setup.ts'
import { call, addShop, openSetup, type Fields, type Setup } from '../test/setup.ts'
import { rebuildOutcome } from './rebuild-outcome.ts'

let setup: Setup
before(async () => {
  setup = await openSetup({ APP_REQUESTS_PER_SECOND: '100000' })
})
after(() => setup.harness.end())

async function send(to: Setup, operations: Fields[]): Promise<BatchResult[]> {
  const response = await call(to, batch, { operations })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ results: BatchResult[] }>().results
}

const codesOf = (results: readonly BatchResult[]) =>
  results.map(({ status, code }) => (code === undefined ? status : `${status} ${code}`))

/** A shop with two users who have 100.00 each. */
async function openTwo() {
  const shop = await addShop(setup.harness)
  const other = await makeLinkedUser(setup.harness.context, shop.app, 100_00n)
  const pay = (type: 'debit' | 'hold' | 'credit', pair: object, user = shop.user): Fields => ({
    type,
    serviceUserId: user.serviceUserId,
    amount: 10,
    ...pair,
  })
  return { shop, other, pay }
}

async function moneyOf({ harness }: Setup, walletId: bigint) {
  const wallet = await harness.context.ledger.readWallet(walletId)
  return [wallet?.balance, wallet?.held]
}

describe('a batch with an operation and a refund or capture of it', () => {
  it('404 OPERATION_NOT_FOUND for the refund if the reference belongs to a credit', async () => {
    const { shop, pay } = await openTwo()
    const pair = pairOf('ORDER')
    const { type: _, ...fields } = pay('credit', pair)
    assert.equal((await call(shop, credit, fields)).statusCode, 200)
    const operations = [
      pay('debit', pair),
      { type: 'refund', debit: pair, ...pairOf('REFUND') },
      { type: 'capture', hold: pair, ...pairOf('CAPTURE') },
      { type: 'release', hold: pair, ...pairOf('RELEASE') },
      pay('debit', pairOf('ORDER')),
    ]
    const results = await send(shop, operations)
    assert.deepEqual(codesOf(results), [
      200,
      '404 OPERATION_NOT_FOUND',
      '404 OPERATION_NOT_FOUND',
      '404 OPERATION_NOT_FOUND',
      200,
    ])
    assert.equal(results[0]?.idempotencyMismatch, 'direction')
  })

  it('captures the hold that the reference belongs to, also if the batch names another user', async () => {
    const { shop, other, pay } = await openTwo()
    const pair = pairOf('HOLD')
    const { type: _, ...fields } = pay('hold', pair)
    assert.equal((await call(shop, hold, fields)).statusCode, 200)
    const results = await send(shop, [
      pay('hold', pair, other),
      { type: 'capture', hold: pair, ...pairOf('CAPTURE') },
    ])
    assert.deepEqual(codesOf(results), [200, 200])
    assert.equal(results[0]?.idempotencyMismatch, 'serviceUserId')
    assert.deepEqual(await moneyOf(shop, shop.user.walletId), [90_00n, 0n])
    assert.deepEqual(await moneyOf(shop, other.walletId), [100_00n, 0n])
  })

  it('executes the first of two operations with one reference, and the release of it', async () => {
    const { shop, other, pay } = await openTwo()
    for (let round = 0; round < 10; round++) {
      const [pair, release] = [pairOf('HOLD'), pairOf('RELEASE')]
      const operations = [
        { ...pay('debit', pairOf('ORDER'), other), amount: 0.01 },
        pay('hold', pair),
        pay('hold', pair, other),
        { type: 'release', hold: pair, ...release },
      ]
      const results = await send(shop, operations)
      assert.deepEqual(codesOf(results), [200, 200, 200, 200])
      assert.equal(results[1]?.idempotencyReplayed, undefined)
      assert.equal(results[2]?.idempotencyMismatch, 'serviceUserId')
      const replayed = results.map((each) => ({ ...each, idempotencyReplayed: true }))
      assert.deepEqual(await send(shop, operations), replayed)
    }
    assert.deepEqual(await moneyOf(shop, shop.user.walletId), [100_00n, 0n])
    assert.deepEqual(await moneyOf(shop, other.walletId), [99_90n, 0n])
  })

  it('does not execute the second operation with a reference if the first one fails', async () => {
    const { shop, other, pay } = await openTwo()
    await shop.harness.admin.query(`
      create function poison() returns trigger language plpgsql as
        $$ begin if new.description = 'poison' then raise 'poisoned'; end if; return new; end $$;
      create trigger poison before insert on ledger.operations for each row execute function poison()`)
    const pair = pairOf('HOLD')
    const results = await send(shop, [
      { ...pay('hold', pair), description: 'poison' },
      pay('hold', pair, other),
      { type: 'release', hold: pair, ...pairOf('RELEASE') },
    ])
    await shop.harness.admin.query('drop function poison() cascade')
    assert.deepEqual(codesOf(results), [
      '500 INTERNAL_ERROR',
      '503 EARLIER_OPERATION_FAILED',
      '503 EARLIER_OPERATION_FAILED',
    ])
    assert.deepEqual(await moneyOf(shop, other.walletId), [100_00n, 0n])
  })
})

describe('a request whose target is not what the caller saw', () => {
  it('is not recorded, and the other requests of its batch are executed', async () => {
    const { shop, other, pay } = await openTwo()
    const { ledger } = shop.harness.context
    const { ledgerAccount: account } = shop.app
    const pair = pairOf('HOLD')
    const { type: _, ...fields } = pay('hold', pair)
    assert.equal((await call(shop, hold, fields)).statusCode, 200)
    const target = digestPair(account, pair.referenceType, pair.referenceId)
    const terms = { isAmountOmitted: true, isBalanceHidden: false }
    const common = { counterAccount: account, description: null, walletId: other.walletId }
    const outcomes = await Promise.all(
      ledger.postSeries([
        { kind: 'debit', amountMinor: 1n, ...common, ...pairOf('ORDER') },
        {
          kind: 'capture',
          amountMinor: 0n,
          ...common,
          ...pairOf('CAPTURE'),
          holdChange: { ...terms, target, isFinal: true },
        },
        {
          kind: 'refund',
          amountMinor: 0n,
          ...common,
          ...pairOf('REFUND'),
          refund: { ...terms, target },
        },
        {
          kind: 'refund',
          amountMinor: 0n,
          ...common,
          ...pairOf('REFUND'),
          refund: { ...terms, target: 'f'.repeat(32) },
        },
        { kind: 'debit', amountMinor: 1n, ...common, ...pairOf('ORDER') },
      ]),
    )
    assert.deepEqual(
      outcomes.map(({ decision }) => decision.refusal),
      [null, 'OPERATION_NOT_FOUND', 'OPERATION_NOT_FOUND', 'OPERATION_NOT_FOUND', null],
    )
    assert.deepEqual(await moneyOf(shop, other.walletId), [99_98n, 0n])
    for (const { decision } of outcomes.slice(1, 4)) {
      const { body } = rebuildOutcome(shop.harness.context, account, decision)
      assert.equal('code' in body && body.code, 'OPERATION_NOT_FOUND')
    }
    const refused = outcomes[1]?.decision.digest
    const keys = 'select from ledger.operation_keys where digest = $1'
    assert.equal((await shop.harness.admin.query(keys, [refused])).rowCount, 0)
  })
})

describe('a retry that arrives while another process writes the target', () => {
  let processes: ServiceProcess[]
  before(async () => {
    processes = await Promise.all([1, 2].map(() => spawnService(setup.harness.databaseUrl)))
  })
  after(async () => {
    closeConnections()
    await Promise.all(processes.map((each) => each.kill('SIGINT')))
  })

  for (const [kind, type, change] of [
    ['hold', 'capture', 'hold'],
    ['debit', 'refund', 'debit'],
  ] as const) {
    it(`is never told that it differs: ${type}`, async () => {
      const app = await makeClientApp(setup.harness.context, { onMismatch: 'conflict' })
      const user = await makeLinkedUser(setup.harness.context, app, 10_000_00n)
      const { clientId, clientSecret } = app
      const sendTo = (index: number, path: string, fields: object): Promise<ServiceResponse> => {
        const { url } = processes[index] as ServiceProcess
        return post(url, `/api/server/wallet/${path}`, { clientId, clientSecret, ...fields })
      }
      const countMismatches = async () =>
        (await setup.harness.admin.query('select from ledger.mismatches')).rowCount
      const mismatches = await countMismatches()
      const seen = new Set<number>()
      for (let round = 0; round < 60; round++) {
        const pair = pairOf('ORDER')
        const again = { [change]: pair, amount: 0.01, ...pairOf('CHANGE') }
        const first = { type: kind, serviceUserId: user.serviceUserId, amount: 0.05, ...pair }
        const operations = [first, { type, ...again }]
        const [, ...retries] = await Promise.all([
          sendTo(0, 'batch', { operations }),
          sendTo(1, type, again),
          ...[2, 4, 6, 8].map(async (ms) => {
            await sleep(ms)
            return sendTo(1, type, again)
          }),
        ])
        for (const { status, text, headers } of retries) {
          seen.add(status)
          assert.equal(headers['idempotency-mismatch'], undefined, text)
          assert.ok(status === 200 || (status === 404 && /OPERATION_NOT_FOUND/.test(text)), text)
        }
      }
      assert.ok(seen.has(200))
      assert.equal(await countMismatches(), mismatches)
    })
  }
})
