/** Single refunds with exact numbers. The debit is 80, the wallet has 100. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import { ACCOUNT, DEBIT, NOW_MS, requestOf, run, walletOf } from '../../test/ledger/decide-setup.ts'
import type { DigestedRequest } from './decide-types.ts'
import { replay } from './decide.ts'
import { digestPair } from '../digest.ts'
import type { Decision, Refusal, WalletState } from '../types.ts'

const TARGET = DEBIT.digest
const EXPLICIT = { target: TARGET, isAmountOmitted: false, isBalanceHidden: false }
const OMITTED = { ...EXPLICIT, isAmountOmitted: true }

function refundOf(amount: bigint | undefined, referenceId = 'refund-1'): DigestedRequest {
  const refund = amount === undefined ? OMITTED : EXPLICIT
  return requestOf('refund', amount ?? 0n, {
    refund,
    referenceId,
    digest: digestPair(ACCOUNT, 'ORDER', referenceId),
  })
}

const knowing = (...decisions: Decision[]) => new Map(decisions.map((each) => [each.digest, each]))

describe('a refund', () => {
  const full = { balance: BALANCE_MAX_MINOR - 10n }
  /** What was refunded before, the amount, the wallet, and the refusal or the amount that moves. */
  const CASES: [bigint, bigint | undefined, Partial<WalletState>, Refusal | bigint][] = [
    [0n, 80n, {}, 80n],
    [0n, 81n, {}, 'REFUND_EXCEEDS_DEBIT'],
    [0n, 1n, {}, 1n],
    [30n, 50n, {}, 50n],
    [30n, 51n, {}, 'REFUND_EXCEEDS_DEBIT'],
    [80n, 1n, {}, 'REFUND_EXCEEDS_DEBIT'],
    [0n, undefined, {}, 80n],
    [30n, undefined, {}, 50n],
    [80n, undefined, {}, 'REFUND_EXCEEDS_DEBIT'],
    [0n, 80n, { isActive: false }, 80n],
    [0n, 1n, { isClosed: true }, 'WALLET_CLOSED'],
    [0n, 81n, { isClosed: true }, 'WALLET_CLOSED'],
    [0n, 10n, full, 10n],
    [0n, 11n, full, 'BALANCE_LIMIT'],
    [0n, undefined, full, 'BALANCE_LIMIT'],
  ]
  for (const [before, amount, state, expected] of CASES) {
    const words = Object.keys(state).join() || 'balance 100'
    it(`of ${amount ?? 'the rest'} after ${before}, ${words}: ${expected}`, () => {
      const wallet = walletOf(state)
      const refunded = new Map([[TARGET, before]])
      const output = run([refundOf(amount)], wallet, { refunded })
      const [decision = assert.fail()] = output.decisions
      const isPosted = typeof expected === 'bigint'
      const left = 80n - before
      assert.equal(decision.refusal, isPosted ? null : expected)
      assert.equal(decision.amountMinor, amount ?? left)
      const refundable = isPosted ? left - expected : left
      const terms = amount === undefined ? OMITTED : EXPLICIT
      assert.deepEqual(decision.refund, { ...terms, refundable })
      const total = { debit: TARGET, refund: decision.digest, walletId: 1n, debited: 80n }
      assert.deepEqual(output.refunds, isPosted ? [{ ...total, refunded: before + expected }] : [])
      assert.equal(output.operations.length, isPosted ? 1 : 0)
      if (!isPosted) return
      assert.equal(output.operations[0]?.target, TARGET)
      assert.equal(output.wallets.get(1n)?.balance, wallet.balance + expected)
      assert.equal(output.accountChanges.get(ACCOUNT), -expected)
    })
  }

  it('sees the refunds before it in the same batch, and those of earlier batches', () => {
    for (const before of [0n, 20n]) {
      const requests = [refundOf(50n - before, 'a'), refundOf(31n, 'b'), refundOf(undefined, 'c')]
      const output = run(requests, walletOf(), { refunded: new Map([[TARGET, before]]) })
      const refusals = output.decisions.map(({ refusal }) => refusal)
      assert.deepEqual(refusals, [null, 'REFUND_EXCEEDS_DEBIT', null])
      assert.deepEqual(
        output.refunds.map(({ refunded }) => refunded),
        [50n, 80n],
      )
      assert.deepEqual(
        output.decisions.map(({ refund }) => refund?.refundable),
        [30n, 30n, 0n],
      )
    }
  })

  it('of a debit in the same batch, posted or refused', () => {
    for (const [amount, refusal] of [
      [40n, null],
      [101n, 'REFUND_EXCEEDS_DEBIT'],
    ] as const) {
      const debit = requestOf('debit', amount, { digest: TARGET })
      const output = run([debit, refundOf(40n)], walletOf(), { decided: new Map() })
      assert.equal(output.decisions[1]?.refusal, refusal)
    }
  })

  it('of a refused debit has nothing to return', () => {
    const refused: Decision = { ...DEBIT, refusal: 'INSUFFICIENT_BALANCE', balanceAfter: null }
    for (const amount of [1n, undefined]) {
      const output = run([refundOf(amount)], walletOf(), { decided: knowing(refused) })
      const [decision] = output.decisions
      assert.equal(decision?.refusal, 'REFUND_EXCEEDS_DEBIT')
      assert.equal(decision.refund?.refundable, 0n)
    }
  })

  it('respects the credit limit of the app', () => {
    const runningBalance = { account: ACCOUNT, balance: 0n, creditLimit: 20n }
    const runningBalances = new Map([[ACCOUNT, runningBalance]])
    const of = (amount: bigint) =>
      run([refundOf(amount)], walletOf(), { runningBalances }).decisions[0]?.refusal
    assert.equal(of(20n), null)
    assert.equal(of(21n), 'CREDIT_LIMIT_EXCEEDED')
  })

  it('of a credit, of a debit of another wallet, or of nothing is refused with OPERATION_NOT_FOUND, and not recorded', () => {
    for (const decided of [
      knowing({ ...DEBIT, kind: 'credit' }),
      knowing({ ...DEBIT, walletId: 2n }),
      knowing(),
    ]) {
      const output = run([refundOf(1n)], walletOf(), { decided })
      assert.equal(output.outcomes[0]?.decision.refusal, 'OPERATION_NOT_FOUND')
      assert.deepEqual([output.decisions, output.wallets.size], [[], 0])
    }
  })
})

describe('a repeated refund', () => {
  const decided = (amountMinor: bigint, terms = EXPLICIT): Decision => ({
    ...DEBIT,
    kind: 'refund',
    amountMinor,
    decidedAtMs: NOW_MS,
    refund: { ...terms, refundable: 0n },
  })
  const other = digestPair(ACCOUNT, 'ORDER', 'another')
  const CASES: [string, Decision, DigestedRequest, string[]][] = [
    ['the same amount', decided(50n), refundOf(50n), []],
    ['another amount', decided(50n), refundOf(51n), ['amount']],
    ['both without an amount', decided(50n, OMITTED), refundOf(undefined), []],
    ['now without an amount', decided(50n), refundOf(undefined), ['amount']],
    ['now with the amount', decided(50n, OMITTED), refundOf(50n), ['amount']],
    [
      'another debit, which has another wallet',
      decided(50n),
      { ...refundOf(50n), walletId: 2n, refund: { ...EXPLICIT, target: other } },
      ['debit'],
    ],
    ['a refund of a debit', DEBIT, refundOf(80n), ['direction']],
    ['a debit of a refund', decided(50n), requestOf('debit', 50n), ['direction']],
    [
      'a debit of another user',
      decided(50n),
      requestOf('debit', 50n, { walletId: 2n }),
      ['serviceUserId', 'direction'],
    ],
  ]
  for (const [name, decision, asked, differs] of CASES) {
    it(`${name}: ${differs.join(', ') || 'no difference'}`, () => {
      assert.deepEqual(replay(decision, asked), { decision, replayed: true, mismatch: differs })
    })
  }
})
