/** Single decisions with exact numbers; decide.test.ts compares long histories with a model. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import { ACCOUNT, DEBIT, NOW_MS, requestOf, run, walletOf } from '../../test/ledger/decide-setup.ts'
import { GENESIS_HASH, hashOperation } from '../digest.ts'
import type { Decision, Kind, Refusal, WalletState } from '../types.ts'

describe('the effect of each kind', () => {
  type OtherKind = Exclude<Kind, 'hold' | 'capture' | 'release' | 'expiry'>
  /**
   * What an operation of 50 changes in a wallet with a balance of 100 and a debt of 30. A new kind needs a row; those
   * of holds are in decide-holds.test.ts.
   */
  const EFFECTS: Record<OtherKind, { balance: bigint; debt: bigint; account: bigint }> = {
    debit: { balance: -50n, debt: 0n, account: 50n },
    credit: { balance: 50n, debt: 0n, account: -50n },
    topup: { balance: 20n, debt: -30n, account: -50n },
    bonus: { balance: 50n, debt: 0n, account: -50n },
    seizure: { balance: -50n, debt: 0n, account: 50n },
    reversal: { balance: 20n, debt: -30n, account: -50n },
    card_refund: { balance: -50n, debt: 0n, account: 50n },
    correction_in: { balance: 50n, debt: 0n, account: -50n },
    correction_out: { balance: -50n, debt: 0n, account: 50n },
    refund: { balance: 20n, debt: -30n, account: -50n },
  }
  for (const [kind, effect] of Object.entries(EFFECTS) as [
    OtherKind,
    (typeof EFFECTS)[OtherKind],
  ][]) {
    it(`${kind}: the balance changes by ${effect.balance}, the debt by ${effect.debt}`, () => {
      const wallet = walletOf({ debt: 30n })
      const output = run([requestOf(kind, 50n)], wallet)
      const { scope: _, digest, amountMinor, refund, ...request } = requestOf(kind, 50n)
      const balanceAfter = 100n + effect.balance
      const operation = {
        ...request,
        seq: 5n,
        amount: effect.balance,
        balanceAfter,
        debtChange: effect.debt,
        debtAfter: 30n + effect.debt,
        heldChange: 0n,
        heldAfter: 0n,
        target: refund ? DEBIT.digest : null,
        createdAtMs: NOW_MS,
      }
      const { referenceType: _type, referenceId: _id, description: _text, ...hashed } = operation
      const hash = hashOperation(GENESIS_HASH, hashed, digest)
      assert.deepEqual(output.operations, [{ ...operation, hash }])
      const decision: Decision = {
        digest,
        walletId: 1n,
        seq: 5n,
        kind,
        amountMinor,
        balanceAfter,
        refusal: null,
        decidedAtMs: NOW_MS,
        ...(refund && { refund: { ...refund, refundable: 30n } }),
      }
      assert.deepEqual(output.decisions, [decision])
      assert.deepEqual(output.outcomes, [{ decision, replayed: false, mismatch: [] }])
      const debt = 30n + effect.debt
      const after = { ...wallet, balance: balanceAfter, debt, seq: 5n, headHash: hash }
      assert.deepEqual(output.wallets, new Map([[1n, after]]))
      assert.deepEqual(output.accountChanges, new Map([[ACCOUNT, effect.account]]))
      assert.deepEqual(output.mismatches, [])
    })
  }

  it('a seizure of more than the balance leaves a debt, on top of an earlier one', () => {
    const { operations, accountChanges } = run([requestOf('seizure', 130n)], walletOf({ debt: 5n }))
    const [{ amount, balanceAfter, debtChange, debtAfter } = assert.fail()] = operations
    assert.deepEqual([amount, balanceAfter, debtChange, debtAfter], [-100n, 0n, 30n, 35n])
    assert.equal(accountChanges.get(ACCOUNT), 130n)
  })

  it('a top-up smaller than the debt only reduces the debt', () => {
    const { operations } = run([requestOf('topup', 10n)], walletOf({ debt: 30n }))
    const [{ amount, balanceAfter, debtChange, debtAfter } = assert.fail()] = operations
    assert.deepEqual([amount, balanceAfter, debtChange, debtAfter], [0n, 100n, -10n, 20n])
  })
})

describe('a refusal', () => {
  const frozen = { isActive: false }
  const full = { balance: BALANCE_MAX_MINOR - 10n }
  const CASES: [Kind, bigint, Partial<WalletState>, Refusal | null][] = [
    ['debit', 100n, {}, null],
    ['debit', 101n, {}, 'INSUFFICIENT_BALANCE'],
    ['card_refund', 100n, {}, null],
    ['card_refund', 101n, {}, 'INSUFFICIENT_BALANCE'],
    ['correction_out', 100n, {}, null],
    ['correction_out', 101n, {}, 'INSUFFICIENT_BALANCE'],
    ['seizure', 101n, {}, null],
    ['debit', 1n, frozen, 'WALLET_INACTIVE'],
    ['debit', 101n, frozen, 'WALLET_INACTIVE'],
    ['credit', 1n, frozen, null],
    ['topup', 1n, frozen, null],
    ['card_refund', 1n, frozen, null],
    ['seizure', 1n, frozen, null],
    ['correction_out', 1n, frozen, null],
    ['credit', 10n, full, null],
    ['credit', 11n, full, 'BALANCE_LIMIT'],
    ['topup', 11n, full, 'BALANCE_LIMIT'],
    ['topup', 11n, { ...full, debt: 1n }, null],
    ['credit', 10n, { balance: 0n, held: BALANCE_MAX_MINOR - 10n }, null],
    ['credit', 11n, { balance: 0n, held: BALANCE_MAX_MINOR - 10n }, 'BALANCE_LIMIT'],
    ['debit', 101n, { held: 50n }, 'INSUFFICIENT_BALANCE'],
  ]
  for (const [kind, amount, state, refusal] of CASES) {
    const words = Object.entries(state).map(([name, value]) => `${name} ${String(value)}`)
    it(`${kind} of ${amount}, ${words.join(', ') || 'balance 100'}: ${refusal ?? 'none'}`, () => {
      const wallet = walletOf(state)
      const output = run([requestOf(kind, amount)], wallet)
      assert.equal(output.decisions[0]?.refusal, refusal)
      if (refusal === null) return
      const { seq, balanceAfter, decidedAtMs } = output.decisions[0]
      assert.deepEqual([seq, balanceAfter, decidedAtMs], [wallet.seq, null, NOW_MS])
      assert.deepEqual(
        [output.operations, output.wallets.size, output.accountChanges.size],
        [[], 0, 0],
      )
    })
  }

  it('for the credit limit includes the credits and debits of the same batch, per account', () => {
    const runningBalance = { account: ACCOUNT, balance: -20n, creditLimit: 50n }
    const runningBalances = new Map([[ACCOUNT, runningBalance]])
    const steps: [Kind, bigint, number, Refusal | null][] = [
      ['credit', 31n, ACCOUNT, 'CREDIT_LIMIT_EXCEEDED'],
      ['credit', 30n, ACCOUNT, null],
      ['credit', 1n, ACCOUNT, 'CREDIT_LIMIT_EXCEEDED'],
      ['credit', 1n, ACCOUNT + 1, null],
      ['debit', 2n, ACCOUNT, null],
      ['credit', 3n, ACCOUNT, 'CREDIT_LIMIT_EXCEEDED'],
      ['credit', 2n, ACCOUNT, null],
      ['bonus', 99n, ACCOUNT, null],
    ]
    const requests = steps.map(([kind, amount, counterAccount], index) =>
      requestOf(kind, amount, { counterAccount, referenceId: String(index) }),
    )
    const { decisions } = run(requests, walletOf(), { runningBalances })
    assert.deepEqual(
      decisions.map(({ refusal }) => refusal),
      steps.map(([, , , refusal]) => refusal),
    )
  })

  it('for the credit limit takes precedence over the one for the balance', () => {
    const runningBalance = { account: ACCOUNT, balance: 0n, creditLimit: 5n }
    const { decisions } = run([requestOf('credit', 11n)], walletOf(full), {
      runningBalances: new Map([[ACCOUNT, runningBalance]]),
    })
    assert.equal(decisions[0]?.refusal, 'CREDIT_LIMIT_EXCEEDED')
  })
})

describe('a repeat', () => {
  const first = requestOf('debit', 40n)

  it('in the same batch returns the first outcome and moves no money', () => {
    const { outcomes, operations, decisions, mismatches } = run([first, first])
    assert.deepEqual(outcomes[1], { ...outcomes[0], replayed: true })
    assert.deepEqual([operations.length, decisions.length, mismatches.length], [1, 1, 0])
  })

  it('of a refused request stays refused even if the wallet has enough money by then', () => {
    const tooMuch = requestOf('debit', 140n)
    const more = requestOf('bonus', 100n, { referenceId: 'more' })
    const { outcomes } = run([tooMuch, more, tooMuch])
    assert.deepEqual(
      outcomes.map(({ decision, replayed }) => [decision.refusal, replayed]),
      [
        ['INSUFFICIENT_BALANCE', false],
        [null, false],
        ['INSUFFICIENT_BALANCE', true],
      ],
    )
  })

  it('of a request from an earlier batch returns the recorded decision, not a new one', () => {
    const earlier: Decision = {
      digest: first.digest,
      walletId: 1n,
      seq: 2n,
      kind: 'debit',
      amountMinor: 40n,
      balanceAfter: 7n,
      refusal: null,
      decidedAtMs: 5,
    }
    const output = run([first], walletOf(), { decided: new Map([[first.digest, earlier]]) })
    assert.deepEqual(output.outcomes, [{ decision: earlier, replayed: true, mismatch: [] }])
    assert.deepEqual([output.decisions, output.operations, output.wallets.size], [[], [], 0])
  })

  for (const [field, change] of [
    ['amount', { amountMinor: 41n }],
    ['serviceUserId', { walletId: 2n }],
    ['direction', { kind: 'credit' }],
  ] as const) {
    it(`with another ${field} records the difference`, () => {
      const changed = { ...first, ...change }
      const { outcomes, mismatches } = run([first, changed])
      assert.deepEqual(outcomes[1]?.mismatch, [field])
      const { digest, walletId, kind, amountMinor } = changed
      assert.deepEqual(mismatches, [{ digest, walletId, kind, amountMinor, differs: [field] }])
    })
  }
})

describe('a batch', () => {
  it('decides each request on the state after the previous one, and continues the hash chain', () => {
    const requests = [40n, 60n, 1n].map((amount, index) =>
      requestOf('debit', amount, { referenceId: String(index) }),
    )
    const { operations, decisions } = run(requests)
    assert.deepEqual(
      decisions.map(({ seq, balanceAfter, refusal }) => [seq, balanceAfter, refusal]),
      [
        [5n, 60n, null],
        [6n, 0n, null],
        [6n, null, 'INSUFFICIENT_BALANCE'],
      ],
    )
    const [first, second] = operations
    assert(first && second)
    const expected = hashOperation(first.hash, second, requests[1]?.digest ?? '')
    assert.deepEqual(second.hash, expected)
  })

  it('keeps a frozen wallet frozen', () => {
    const { wallets } = run([requestOf('topup', 1n)], walletOf({ isActive: false }))
    assert.equal(wallets.get(1n)?.isActive, false)
  })

  it('rejects a wallet that is not locked and an amount that is not positive', () => {
    assert.throws(() => run([requestOf('debit', 1n, { walletId: 2n })]), /locked/)
    for (const amount of [0n, -1n]) {
      assert.throws(() => run([requestOf('credit', amount)]), /positive/)
    }
  })
})
