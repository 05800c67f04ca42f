/** An account without a credit limit gets one while batches post to it; its balance must be exact. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { clientConfig } from '../database/connect.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { makeUser } from '../test/factories.ts'
import { startHarness, type Harness } from '../test/harness.ts'
import { openFilledArchive, RECENT } from '../test/ledger/archive-setup.ts'
import { changeCreditLimit } from './change-credit-limit.ts'
import { decide } from './post/decide.ts'
import { digestPair } from './digest.ts'
import { addCreditLimit } from './add-credit-limit.ts'
import { Ledger } from './ledger.ts'
import * as query from './queries.ts'
import { writeBatch } from './post/write-queries.ts'
import { BONUS_ACCOUNT, type LedgerRequest } from './types.ts'
import { verify } from './verify/verify.ts'

let harness: Harness
before(async () => {
  harness = await startHarness({ VERIFY_PERCENT: '0' })
})
after(() => harness.end())

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
  return client
}

async function impose(account: number, limit: bigint, record = async () => {}) {
  const client = await connect()
  try {
    return await addCreditLimit(client, account, limit, { record })
  } finally {
    await client.end()
  }
}

/** Verify compares the balance of every account that has a limit with the sum of its operations. */
async function assertSound() {
  const client = await connect()
  const { fault } = await verify(client, {})
  await client.end()
  assert.equal(fault, undefined)
}

function requestOf(
  kind: 'debit' | 'credit',
  walletId: bigint,
  counterAccount: number,
  amountMinor: bigint,
): LedgerRequest {
  const pair = { referenceType: 'TEST', referenceId: randomUUID() }
  return { kind, walletId, counterAccount, amountMinor, ...pair, description: null }
}

/** A batch with one credit that stops between its statements. */
async function openBatch(account: number, amountMinor: bigint) {
  const { walletId } = await makeUser(harness.context)
  const request = requestOf('credit', walletId, account, amountMinor)
  const digest = digestPair(account, request.referenceType, request.referenceId)
  const client = await connect()
  await client.query('begin')
  const { rows } = await client.query<query.LockedWalletRow>(query.lockWallets([walletId], 'wait'))
  const limited = await client.query(query.lockRunningBalances([account], 'wait'))
  assert.equal(limited.rowCount, 0)
  const [wallet] = rows
  assert(wallet)
  const nowMs = Date.now()
  const output = decide({
    wallets: new Map([[walletId, query.toWallet(wallet)]]),
    decided: new Map(),
    runningBalances: new Map(),
    requests: [{ ...request, scope: account, digest }],
    nowMs,
  })
  return {
    write: () => client.query(writeBatch(output, nowMs, new Map([[walletId, wallet.place]]))),
    async commit() {
      await client.query('commit')
      await client.end()
    },
  }
}

const balanceOf = async (account: number) =>
  (await harness.context.ledger.readAccount(account))?.balance

describe('addCreditLimit', () => {
  for (const when of ['before', 'after']) {
    it(`counts a batch that read the account earlier and writes ${when} the balance starts`, async () => {
      const { ledger } = harness.context
      const account = await ledger.openAccount('settlement', null)
      const { walletId } = await makeUser(harness.context)
      await ledger.post(requestOf('credit', walletId, account, 300n))
      const batch = await openBatch(account, 50n)
      if (when === 'before') await batch.write()
      let isDone = false
      const imposed = impose(account, 1_000n).finally(() => (isDone = true))
      while (!(await isBalanceKept(account))) await sleep(5)
      await ledger.post(requestOf('credit', walletId, account, 7n))
      if (when === 'after') await batch.write()
      await sleep(100)
      assert.equal(isDone, false)
      assert.equal(await balanceOf(account), null)
      await batch.commit()
      assert.equal(await imposed, -357n)
      assert.equal(await balanceOf(account), -357n)
      await assertSound()
    })
  }

  async function isBalanceKept(account: number): Promise<boolean> {
    const text = 'select balance is not null as is_kept from ledger.accounts where id = $1'
    return (
      (await harness.admin.query<{ is_kept: boolean }>(text, [account])).rows[0]?.is_kept === true
    )
  }

  it('is exact, again and again, while two processes debit and credit', async () => {
    const { ledger, db } = harness.context
    const ledgers = [ledger, new Ledger({ databaseUrl: harness.databaseUrl })]
    const account = await ledger.openAccount('settlement', null)
    const posts = { areDone: false }
    let refused = 0
    const post = async (on: Ledger) => {
      const { walletId } = await makeUser(harness.context, 100_000n)
      for (let count = 0; !posts.areDone; count++) {
        const kind = count % 3 === 0 ? 'debit' : 'credit'
        const { decision } = await on.post(
          requestOf(kind, walletId, account, BigInt(1 + (count % 5))),
        )
        if (decision.refusal !== null) refused++
      }
    }
    const posting = Promise.all([...ledgers, ...ledgers, ...ledgers].map(post))
    for (let round = 0; round < 4; round++) {
      assert.notEqual(await impose(account, 100_000_000n), undefined)
      await assertSound()
      await inTransaction(db, async (tx) => {
        assert(await changeCreditLimit(tx, account, { from: 100_000_000n, to: null }))
      })
    }
    assert.equal(refused, 0)
    const owed = await impose(account, 100_000_000n)
    posts.areDone = true
    await posting
    assert(owed !== undefined && owed < 0n)
    await assertSound()
    await ledgers[1]?.close()
  })

  it('applies the limit to the next credit, to the cent', async () => {
    const { ledger } = harness.context
    const account = await ledger.openAccount('settlement', null)
    const { walletId } = await makeUser(harness.context)
    await ledger.post(requestOf('credit', walletId, account, 900n))
    assert.equal(await impose(account, 1_000n), -900n)
    const credit = async (amount: bigint) =>
      (await ledger.post(requestOf('credit', walletId, account, amount))).decision.refusal
    assert.equal(await credit(101n), 'CREDIT_LIMIT_EXCEEDED')
    assert.equal(await credit(100n), null)
    assert.equal(await credit(1n), 'CREDIT_LIMIT_EXCEEDED')
  })

  it('counts the operations of archived months', async (test) => {
    const archive = await openFilledArchive()
    test.after(() => archive.end())
    await archive.archive(RECENT)
    const record = async () => {}
    const balance = await addCreditLimit(archive.worker, BONUS_ACCOUNT, 1_000n, { record })
    assert.equal(balance, -559n)
    assert.equal(await archive.findFault(), undefined)
  })

  it('changes nothing if the account owes more than the limit, or the record cannot be written', async () => {
    const { ledger } = harness.context
    const account = await ledger.openAccount('settlement', null)
    const { walletId } = await makeUser(harness.context)
    await ledger.post(requestOf('credit', walletId, account, 900n))
    assert.equal(await impose(account, 899n), undefined)
    const { rows } = await harness.admin.query(
      'select balance from ledger.accounts where id = $1',
      [account],
    )
    assert.deepEqual(rows, [{ balance: null }])
    const fails = () => Promise.reject(new Error('no audit log'))
    await assert.rejects(impose(account, 5_000n, fails), /no audit log/)
    assert.equal((await ledger.readAccount(account))?.creditLimit, null)
    await ledger.post(requestOf('credit', walletId, account, 4_000n))
    await assertSound()
    // It was interrupted before; a new attempt starts again.
    assert.equal(await impose(account, 5_000n), -4_900n)
    await assertSound()
  })

  it('lets only one process at a time give a limit', async () => {
    const { ledger } = harness.context
    const account = await ledger.openAccount('settlement', null)
    const batch = await openBatch(account, 50n)
    const first = impose(account, 1_000n)
    while (!(await isBalanceKept(account))) await sleep(5)
    await assert.rejects(impose(account, 2_000n), /Another process/)
    await batch.write()
    await batch.commit()
    assert.equal(await first, -50n)
  })
})
