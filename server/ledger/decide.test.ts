import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NaiveLedger, type NaiveRequest } from '../test/naive-ledger.ts'
import { decide, type BatchInput, type DigestedRequest } from './decide.ts'
import { digestPair, GENESIS_HASH, hashOperation } from './digest.ts'
import type { Decision, Operation, Outcome, WalletState } from './types.ts'

const HISTORIES = 100_000
const WALLETS = [1n, 2n, 3n]
const LIMITED = 7
const UNLIMITED = 8

const request = fc.record({
  kind: fc.constantFrom<NaiveRequest['kind']>(
    ...([
      'debit',
      'debit',
      'debit',
      'credit',
      'credit',
      'topup',
      'bonus',
      'seizure',
      'reversal',
      'refund',
      'correction_in',
      'correction_out',
    ] as const),
  ),
  pair: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'),
  walletId: fc.constantFrom(...WALLETS),
  account: fc.constantFrom(LIMITED, UNLIMITED),
  amount: fc.oneof(
    { weight: 6, arbitrary: fc.bigInt(1n, 60n) },
    { weight: 1, arbitrary: fc.constantFrom(999_999_999_999_999n, 999_999_999_999_900n) },
  ),
})
const history = fc.record({
  batches: fc.array(fc.array(request, { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 4,
  }),
  frozen: fc.subarray(WALLETS),
  limit: fc.bigInt(0n, 80n),
})

/** Stands for the database in a history: keeps the results of decide between batches. */
class Store {
  readonly wallets = new Map<bigint, WalletState>()
  readonly decided = new Map<string, Decision>()
  readonly operations: Operation[] = []
  settled = 0n
  readonly limit: bigint

  constructor(frozen: readonly bigint[], limit: bigint) {
    this.limit = limit
    for (const id of WALLETS) {
      const isActive = !frozen.includes(id)
      this.wallets.set(id, { id, balance: 0n, debt: 0n, seq: 0n, isActive, headHash: GENESIS_HASH })
    }
  }

  run(requests: DigestedRequest[], nowMs: number): Outcome[] {
    const allowance = { account: LIMITED, balance: this.settled, creditLimit: this.limit }
    const input: BatchInput = {
      wallets: this.wallets,
      decided: new Map(this.decided),
      allowances: new Map([[LIMITED, allowance]]),
      requests,
      nowMs,
    }
    const output = decide(input)
    for (const decision of output.decisions) this.decided.set(decision.digest, decision)
    for (const [id, wallet] of output.wallets) this.wallets.set(id, wallet)
    this.operations.push(...output.operations)
    this.settled += output.settlements.get(LIMITED) ?? 0n
    return output.outcomes
  }
}

function toLedger({ kind, pair, walletId, account, amount }: NaiveRequest): DigestedRequest {
  return {
    kind,
    scope: account,
    referenceType: 'T',
    referenceId: pair,
    walletId,
    amountMinor: amount,
    counterAccount: account,
    description: null,
    // All accounts share one namespace, so that a pair is repeated with another account, too.
    digest: digestPair(1, 'T', pair),
  }
}

describe('decide', () => {
  it(`agrees with a naive one-by-one model over ${HISTORIES} histories`, () => {
    let seen = 0
    fc.assert(
      fc.property(history, ({ batches, frozen, limit }) => {
        seen++
        const store = new Store(frozen, limit)
        const naive = new NaiveLedger()
        naive.limits.set(LIMITED, limit)
        for (const id of WALLETS) {
          const isActive = !frozen.includes(id)
          naive.wallets.set(id, { balance: 0n, debt: 0n, isActive, count: 0n })
        }
        for (const [index, batch] of batches.entries()) {
          const outcomes = store.run(batch.map(toLedger), 1000 + index)
          assert.equal(outcomes.length, batch.length)
          for (const [position, sent] of batch.entries()) {
            compare(outcomes[position] as Outcome, sent, naive)
          }
        }
        checkBooks(store, naive)
      }),
      { numRuns: HISTORIES },
    )
    assert.equal(seen, HISTORIES)
  })

  it('returns the first outcome for every repeat and lists the fields that differ', () => {
    const store = new Store([], 0n)
    const first = toLedger({
      kind: 'bonus',
      pair: 'a',
      walletId: 1n,
      account: UNLIMITED,
      amount: 5n,
    })
    const [original] = store.run([first], 1)
    const changed = { ...first, walletId: 2n, amountMinor: 6n, kind: 'debit' as const }
    const [again, differing] = store.run([first, changed], 2)
    assert.deepEqual(again, { ...original, replayed: true })
    assert.deepEqual(differing?.decision, original?.decision)
    assert.deepEqual(differing?.mismatch, ['amount', 'serviceUserId', 'direction'])
  })
})

function compare(outcome: Outcome, sent: NaiveRequest, naive: NaiveLedger) {
  const wasKnown = naive.outcomes.has(sent.pair)
  const expected = naive.ask(sent)
  const { decision } = outcome
  assert.equal(outcome.replayed, wasKnown)
  assert.equal(decision.refusal, 'refusal' in expected ? expected.refusal : null)
  assert.equal(decision.balanceAfter, 'balanceAfter' in expected ? expected.balanceAfter : null)
  if ('seq' in expected) assert.equal(decision.seq, expected.seq)
  assert.equal(decision.amountMinor, expected.first.amount)
  assert.equal(decision.walletId, expected.first.walletId)
  const differs = [
    sent.amount !== expected.first.amount && 'amount',
    sent.walletId !== expected.first.walletId && 'serviceUserId',
    sent.kind !== expected.first.kind && 'direction',
  ].filter((each) => each !== false)
  assert.deepEqual(outcome.mismatch, differs)
}

/** No balance is negative, balance = sum, seqs have no gap, the hash chain verifies, and the books add up to zero. */
function checkBooks(store: Store, naive: NaiveLedger) {
  let total = 0n
  const accounts = new Map<number, bigint>()
  for (const wallet of store.wallets.values()) {
    const own = store.operations.filter((each) => each.walletId === wallet.id)
    let [balance, debt, seq, head] = [0n, 0n, 0n, GENESIS_HASH]
    for (const operation of own) {
      balance += operation.amount
      debt += operation.debtChange
      seq += 1n
      head = hashOperation(head, operation, digestPair(1, 'T', operation.referenceId))
      assert.ok(balance >= 0n && debt >= 0n)
      assert.equal(operation.seq, seq)
      assert.equal(operation.balanceAfter, balance)
      assert.equal(operation.debtAfter, debt)
      assert.ok(operation.hash.equals(head))
      const before = accounts.get(operation.counterAccount) ?? 0n
      accounts.set(operation.counterAccount, before - operation.amount + operation.debtChange)
    }
    assert.deepEqual([wallet.balance, wallet.debt, wallet.seq], [balance, debt, seq])
    assert.ok(wallet.headHash.equals(head))
    const expected = naive.wallets.get(wallet.id)
    assert.deepEqual([balance, debt, seq], [expected?.balance, expected?.debt, expected?.count])
    total += balance - debt
  }
  for (const [account, balance] of accounts) {
    total += balance
    assert.equal(balance, naive.accounts.get(account) ?? 0n)
  }
  assert.equal(total, 0n)
}
