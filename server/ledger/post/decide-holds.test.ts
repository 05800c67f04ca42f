/** Single holds, captures and releases with exact numbers. The hold is 80, the wallet has 100 beside it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BALANCE_MAX_MINOR } from '@coffer/contract/money'
import { changeOf, HOLD, holdOf, runOn } from '../../test/ledger/decide-hold-setup.ts'
import { ACCOUNT, NOW_MS, requestOf, run, walletOf } from '../../test/ledger/decide-setup.ts'
import type { DigestedRequest } from './decide-types.ts'
import type { Hold, Refusal, WalletState } from '../types.ts'

describe('a hold', () => {
  const CASES: [bigint, Partial<WalletState>, Refusal | null][] = [
    [100n, {}, null],
    [101n, {}, 'INSUFFICIENT_BALANCE'],
    [101n, { held: 500n }, 'INSUFFICIENT_BALANCE'],
    [1n, { isActive: false }, 'WALLET_INACTIVE'],
    [10n, { balance: BALANCE_MAX_MINOR }, null],
  ]
  for (const [amount, state, refusal] of CASES) {
    it(`of ${amount}, ${Object.keys(state).join() || 'balance 100'}: ${refusal ?? 'posted'}`, () => {
      const wallet = walletOf(state)
      const output = run([holdOf(amount)], wallet)
      const [decision = assert.fail()] = output.decisions
      assert.equal(decision.refusal, refusal)
      // Also of a refusal: a repeat is compared with it.
      assert.deepEqual(decision.hold, { expiresAtMs: NOW_MS + 60_000 })
      assert.equal(output.accountChanges.size, 0)
      if (refusal !== null) {
        assert.deepEqual([output.holds.size, output.operations.length], [0, 0])
        return
      }
      const [operation = assert.fail()] = output.operations
      assert.deepEqual([operation.amount, operation.heldChange], [-amount, amount])
      assert.deepEqual([operation.debtChange, operation.target], [0n, null])
      const after = output.wallets.get(1n)
      assert.deepEqual(
        [after?.balance, after?.held],
        [wallet.balance - amount, wallet.held + amount],
      )
      assert.deepEqual(output.holds.get(decision.digest), {
        ...HOLD,
        digest: decision.digest,
        amount,
        remaining: amount,
        createdAtMs: NOW_MS,
        expiresAtMs: NOW_MS + 60_000,
        referenceId: 'hold-1',
      })
    })
  }

  it('counts for the maximum balance of the wallet', () => {
    const wallet = walletOf({ balance: 0n, held: BALANCE_MAX_MINOR - 10n })
    for (const [amount, refusal] of [
      [10n, null],
      [11n, 'BALANCE_LIMIT'],
    ] as const) {
      assert.equal(run([requestOf('topup', amount)], wallet).decisions[0]?.refusal, refusal)
    }
  })

  it('shelters money from a seizure', () => {
    const output = run([holdOf(70n), requestOf('seizure', 50n)])
    const after = output.wallets.get(1n)
    assert.deepEqual([after?.balance, after?.debt, after?.held], [0n, 20n, 70n])
  })
})

describe('a change of a hold', () => {
  interface Effect {
    captured?: bigint
    released?: bigint
    left?: bigint
  }
  type Case = [DigestedRequest, Partial<Hold>, Refusal | Effect]
  const half = { captured: 30n, remaining: 50n }
  const gone = (closedBy: Hold['closedBy']) => ({ remaining: 0n, closedBy })
  const CASES: Case[] = [
    [changeOf('capture', 80n), {}, { captured: 80n }],
    [changeOf('capture', 81n), {}, 'CAPTURE_EXCEEDS_HOLD'],
    [changeOf('capture', undefined), {}, { captured: 80n }],
    [changeOf('capture', 50n), {}, { captured: 50n, released: 30n }],
    [changeOf('capture', 50n, { isFinal: false }), {}, { captured: 50n, left: 30n }],
    [changeOf('capture', 80n, { isFinal: false }), {}, { captured: 80n }],
    [changeOf('capture', undefined), half, { captured: 50n }],
    [changeOf('capture', 51n), half, 'CAPTURE_EXCEEDS_HOLD'],
    [changeOf('capture', 1n), gone('capture'), 'HOLD_CLOSED'],
    [changeOf('capture', undefined), gone('release'), 'HOLD_CLOSED'],
    [changeOf('capture', 1n), gone('expiry'), 'HOLD_EXPIRED'],
    [changeOf('release', undefined), {}, { released: 80n }],
    [changeOf('release', undefined), half, { released: 50n }],
    [changeOf('release', undefined), gone('capture'), 'HOLD_CLOSED'],
    [changeOf('release', undefined), gone('release'), 'HOLD_CLOSED'],
    [changeOf('release', undefined), gone('expiry'), 'HOLD_EXPIRED'],
  ]
  for (const [request, hold, expected] of CASES) {
    const { kind, amountMinor } = request
    const before = hold.remaining ?? 80n
    const outcome = typeof expected === 'string' ? expected : JSON.stringify(expected, show)
    it(`${kind} of ${amountMinor || 'the rest'} of ${before}: ${outcome}`, () => {
      for (const debt of [0n, 10n]) {
        const output = runOn([request], hold, { debt, isActive: false })
        const [decision = assert.fail()] = output.decisions
        if (typeof expected === 'string') {
          assert.equal(decision.refusal, expected)
          assert.deepEqual(decision.holdChange, {
            ...request.holdChange,
            held: before,
            released: 0n,
          })
          assert.equal(output.operations.length + output.holds.size + output.holdChanges.length, 0)
          continue
        }
        const { captured = 0n, released = 0n, left = 0n } = expected
        assert.equal(decision.refusal, null)
        assert.equal(decision.amountMinor, kind === 'capture' ? captured : released)
        assert.deepEqual(decision.holdChange, { ...request.holdChange, held: left, released })
        const [operation = assert.fail()] = output.operations
        const paid = released < debt ? released : debt
        assert.deepEqual([operation.amount, operation.debtChange], [released - paid, -paid])
        assert.deepEqual([operation.heldChange, operation.heldAfter], [-captured - released, left])
        assert.equal(operation.target, HOLD.digest)
        const settled = captured > 0n ? [[ACCOUNT, captured]] : []
        assert.deepEqual([...output.accountChanges], settled)
        const row = output.holds.get(HOLD.digest)
        assert.equal(row?.captured, (hold.captured ?? 0n) + captured)
        assert.deepEqual([row.remaining, row.closedBy], [left, left === 0n ? kind : null])
        const change = { hold: HOLD.digest, change: decision.digest, walletId: 1n, remaining: left }
        assert.deepEqual(output.holdChanges, [change])
      }
    })
  }

  it('sees the changes before it in the same batch', () => {
    const output = runOn([
      changeOf('capture', 50n, { isFinal: false }, 'a'),
      changeOf('capture', 31n, {}, 'b'),
      changeOf('release', undefined, {}, 'c'),
      changeOf('capture', 1n, {}, 'd'),
    ])
    const refusals = output.decisions.map(({ refusal }) => refusal)
    assert.deepEqual(refusals, [null, 'CAPTURE_EXCEEDS_HOLD', null, 'HOLD_CLOSED'])
    assert.equal(output.wallets.get(1n)?.balance, 130n)
  })

  it('of a hold in the same batch, posted or refused', () => {
    for (const [amount, refusal] of [
      [40n, null],
      [101n, 'HOLD_CLOSED'],
    ] as const) {
      const hold = holdOf(amount)
      const output = run([hold, changeOf('capture', 40n, { target: hold.digest })])
      assert.equal(output.decisions[1]?.refusal, refusal)
    }
  })

  it('that names no hold of its wallet is refused with OPERATION_NOT_FOUND, and not recorded', () => {
    const foreign = new Map([[HOLD.digest, { ...HOLD, walletId: 2n }]])
    for (const holds of [foreign, new Map()]) {
      const output = run([changeOf('capture', 1n)], walletOf(), { holds })
      assert.equal(output.outcomes[0]?.decision.refusal, 'OPERATION_NOT_FOUND')
      assert.deepEqual([output.decisions, output.wallets.size], [[], 0])
    }
  })

  it('never has an amount of 0', () => {
    assert.throws(() => runOn([changeOf('capture', 0n)]), /amounts are positive/)
  })
})

function show(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
