import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NaiveLedger, type NaiveOutcome, type NaiveRequest } from '../test/naive-ledger.ts'
import { decide, type BatchInput, type DigestedRequest } from './decide.ts'
import { digestPair, GENESIS_HASH, hashOperation } from './digest.ts'
import type { Decision, Operation, Outcome, WalletState } from './types.ts'

const HISTORIES = 100_000
const WALLETS = [1n, 2n, 3n]
const LIMITED = 7
const UNLIMITED = 8

const anyRequest = fc.record({
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
      'debit_refund',
      'debit_refund',
      'debit_refund',
    ] as const),
  ),
  debit: fc.constantFrom('a', 'b', 'c', 'd'),
  isAmountOmitted: fc.boolean(),
  pair: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'),
  walletId: fc.constantFrom(...WALLETS),
  account: fc.constantFrom(LIMITED, UNLIMITED),
  amount: fc.oneof(
    { weight: 6, arbitrary: fc.bigInt(1n, 60n) },
    { weight: 1, arbitrary: fc.constantFrom(999_999_999_999_999n, 999_999_999_999_900n) },
  ),
})
const history = fc.record({
  batches: fc.array(fc.array(anyRequest, { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 4,
  }),
  frozen: fc.subarray(WALLETS),
  closed: fc.oneof(
    { weight: 4, arbitrary: fc.constant<bigint[]>([]) },
    { weight: 1, arbitrary: fc.subarray(WALLETS) },
  ),
  limit: fc.bigInt(0n, 80n),
})

/** Stands for the database in a history: keeps the results of decide between batches. */
class Store {
  readonly wallets = new Map<bigint, WalletState>()
  readonly decided = new Map<string, Decision>()
  readonly operations: Operation[] = []
  readonly refunded = new Map<string, bigint>()
  settled = 0n
  readonly limit: bigint

  constructor(frozen: readonly bigint[], limit: bigint, closed: readonly bigint[] = []) {
    this.limit = limit
    for (const id of WALLETS) {
      const isActive = !frozen.includes(id)
      const isClosed = closed.includes(id)
      const start = { balance: 0n, debt: 0n, seq: 0n, headHash: GENESIS_HASH }
      this.wallets.set(id, { id, ...start, isActive, isClosed })
    }
  }

  run(requests: DigestedRequest[], nowMs: number): Outcome[] {
    const allowance = { account: LIMITED, balance: this.settled, creditLimit: this.limit }
    const input: BatchInput = {
      wallets: this.wallets,
      decided: new Map(this.decided),
      allowances: new Map([[LIMITED, allowance]]),
      refunded: new Map(this.refunded),
      requests,
      nowMs,
    }
    const output = decide(input)
    for (const decision of output.decisions) this.decided.set(decision.digest, decision)
    for (const [id, wallet] of output.wallets) this.wallets.set(id, wallet)
    this.operations.push(...output.operations)
    for (const { debit, refunded } of output.refunds) this.refunded.set(debit, refunded)
    this.settled += output.settlements.get(LIMITED) ?? 0n
    return output.outcomes
  }
}

function toLedger(sent: NaiveRequest): DigestedRequest {
  const { kind, pair, walletId, account, amount, isAmountOmitted } = sent
  const target = digestPair(1, 'T', sent.debit)
  return {
    kind,
    scope: account,
    referenceType: 'T',
    referenceId: pair,
    walletId,
    amountMinor: kind === 'debit_refund' && isAmountOmitted ? 0n : amount,
    ...(kind === 'debit_refund' && {
      refund: { target, isAmountOmitted, isBalanceHidden: walletId === 2n },
    }),
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
      fc.property(history, ({ batches, frozen, closed, limit }) => {
        seen++
        const store = new Store(frozen, limit, closed)
        const naive = new NaiveLedger()
        naive.limits.set(LIMITED, limit)
        for (const id of WALLETS) {
          const isActive = !frozen.includes(id)
          const isClosed = closed.includes(id)
          naive.wallets.set(id, { balance: 0n, debt: 0n, isActive, isClosed, count: 0n })
        }
        for (const [index, batch] of batches.entries()) {
          const asked = batch.flatMap((sent) => ask(naive, sent))
          const outcomes = store.run(
            asked.map(({ sent }) => toLedger(sent)),
            1000 + index,
          )
          assert.equal(outcomes.length, asked.length)
          for (const [position, each] of asked.entries()) {
            compare(outcomes[position] as Outcome, each)
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
      debit: '',
      isAmountOmitted: false,
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

interface Asked {
  sent: NaiveRequest
  wasKnown: boolean
  expected: NaiveOutcome
}

/** The service finds the debit of a refund first, with its wallet; it does not execute a refund of anything else. */
function ask(naive: NaiveLedger, request: NaiveRequest): Asked[] {
  const debit = request.kind === 'debit_refund' ? naive.outcomes.get(request.debit) : undefined
  if (request.kind === 'debit_refund' && debit?.first.kind !== 'debit') return []
  const sent = debit ? { ...request, walletId: debit.first.walletId } : request
  const wasKnown = naive.outcomes.has(sent.pair)
  return [{ sent, wasKnown, expected: naive.ask(sent) }]
}

function compare(outcome: Outcome, { sent, wasKnown, expected }: Asked) {
  const { decision } = outcome
  const { first } = expected
  assert.equal(outcome.replayed, wasKnown)
  assert.equal(decision.refusal, 'refusal' in expected ? expected.refusal : null)
  assert.equal(decision.balanceAfter, 'balanceAfter' in expected ? expected.balanceAfter : null)
  if ('seq' in expected) assert.equal(decision.seq, expected.seq)
  assert.equal(decision.amountMinor, expected.amount)
  assert.equal(decision.walletId, first.walletId)
  assert.equal(decision.refund?.refundable, expected.refundable)
  const isRefund = sent.kind === 'debit_refund'
  const wasRefund = first.kind === 'debit_refund'
  const isOmitted = isRefund && sent.isAmountOmitted
  const wasOmitted = wasRefund && first.isAmountOmitted
  const differs = [
    (isOmitted !== wasOmitted || (!isOmitted && sent.amount !== first.amount)) && 'amount',
    isRefund && wasRefund && sent.debit !== first.debit && 'debit',
    !(isRefund && wasRefund) && sent.walletId !== first.walletId && 'serviceUserId',
    sent.kind !== first.kind && 'direction',
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
  for (const [pair, refunded] of naive.refunded) {
    const debit = digestPair(1, 'T', pair)
    const own = store.operations.filter((each) => each.target === debit)
    const moved = own.reduce((sum, each) => sum + each.amount - each.debtChange, 0n)
    assert.deepEqual([store.refunded.get(debit), moved], [refunded, refunded])
    assert.ok(refunded <= (store.decided.get(debit)?.amountMinor ?? 0n))
  }
  assert.equal(store.refunded.size, naive.refunded.size)
}
