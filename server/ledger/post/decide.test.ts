import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  isOmitted,
  LIMITED,
  Store,
  toLedger,
  UNLIMITED,
  WALLETS,
} from '../../test/ledger/decide-store.ts'
import { NaiveLedger, type NaiveOutcome, type NaiveRequest } from '../../test/naive-ledger.ts'
import { digestPair, GENESIS_HASH, hashOperation } from '../digest.ts'
import type { Outcome } from '../types.ts'

const HISTORIES = 100_000

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
      'card_refund',
      'correction_in',
      'correction_out',
      'refund',
      'refund',
      'refund',
      'hold',
      'hold',
      'hold',
      'capture',
      'capture',
      'capture',
      'release',
    ] as const),
  ),
  debit: fc.constantFrom('a', 'b', 'c', 'd'),
  isAmountOmitted: fc.boolean(),
  isFinal: fc.boolean(),
  // A batch is one millisecond after the one before it.
  expiresInMs: fc.integer({ min: 1, max: 4 }),
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
          naive.wallets.set(id, { balance: 0n, debt: 0n, held: 0n, isActive, isClosed, count: 0n })
        }
        for (const [index, batch] of batches.entries()) {
          naive.nowMs = 1000 + index
          const asked = batch.flatMap((sent) => ask(naive, sent))
          const outcomes = store.run(
            asked.map(({ sent }) => toLedger(sent)),
            naive.nowMs,
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
})

interface Asked {
  sent: NaiveRequest
  wasKnown: boolean
  expected: NaiveOutcome
}

/** What a kind may name. */
const TARGETS: Partial<Record<NaiveRequest['kind'], NaiveRequest['kind'][]>> = {
  refund: ['debit', 'capture'],
  capture: ['hold'],
  release: ['hold'],
}

/** The service finds the target of a request first, with its wallet; it executes nothing that names anything else. */
function ask(naive: NaiveLedger, request: NaiveRequest): Asked[] {
  const targets = TARGETS[request.kind]
  const target = targets && naive.outcomes.get(request.debit)
  if (targets && (target === undefined || !targets.includes(target.first.kind))) return []
  const sent = target ? { ...request, walletId: target.first.walletId } : request
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
  assert.equal(decision.holdChange?.held, expected.held)
  assert.equal(decision.holdChange?.released, expected.released)
  const both = (...kinds: NaiveRequest['kind'][]) =>
    kinds.includes(sent.kind) && kinds.includes(first.kind)
  const areRefunds = both('refund')
  const areChanges = both('capture', 'release')
  const isNow = isOmitted(sent)
  const finalOf = ({ kind, isFinal }: NaiveRequest) => kind === 'release' || isFinal
  const differs = [
    (isNow !== isOmitted(first) || (!isNow && sent.amount !== first.amount)) && 'amount',
    areRefunds && sent.debit !== first.debit && 'debit',
    areChanges && sent.debit !== first.debit && 'hold',
    !areRefunds && !areChanges && sent.walletId !== first.walletId && 'serviceUserId',
    both('hold') && sent.expiresInMs !== first.expiresInMs && 'expiresInSeconds',
    areChanges && finalOf(sent) !== finalOf(first) && 'isFinal',
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
    let [balance, debt, held, seq, head] = [0n, 0n, 0n, 0n, GENESIS_HASH]
    for (const operation of own) {
      balance += operation.amount
      debt += operation.debtChange
      held += operation.heldChange
      seq += 1n
      const { kind, referenceType, referenceId } = operation
      const scope = kind === 'expiry' ? 0 : 1
      head = hashOperation(head, operation, digestPair(scope, referenceType, referenceId))
      assert.ok(balance >= 0n && debt >= 0n && held >= 0n)
      assert.equal(operation.heldAfter, held)
      assert.equal(operation.seq, seq)
      assert.equal(operation.balanceAfter, balance)
      assert.equal(operation.debtAfter, debt)
      assert.ok(operation.hash.equals(head))
      const before = accounts.get(operation.counterAccount) ?? 0n
      const change = operation.debtChange - operation.amount - operation.heldChange
      accounts.set(operation.counterAccount, before + change)
    }
    assert.deepEqual([wallet.balance, wallet.debt, wallet.seq], [balance, debt, seq])
    assert.equal(wallet.held, held)
    const open = [...store.holds.values()].filter(({ walletId }) => walletId === wallet.id)
    assert.equal(
      open.reduce((sum, { remaining }) => sum + remaining, 0n),
      held,
    )
    assert.ok(wallet.headHash.equals(head))
    const expected = naive.wallets.get(wallet.id)
    assert.deepEqual([balance, debt, seq], [expected?.balance, expected?.debt, expected?.count])
    assert.equal(held, expected?.held)
    total += balance + held - debt
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
