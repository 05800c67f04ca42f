/** Holds whose time is over, and repeats, with exact numbers. The hold is 80, the wallet has 100 beside it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  changeOf,
  HOLD,
  holdOf,
  OMITTED,
  runOn,
  TERMS,
} from '../../test/ledger/decide-hold-setup.ts'
import { ACCOUNT, NOW_MS, requestOf } from '../../test/ledger/decide-setup.ts'
import type { DigestedRequest } from './decide-types.ts'
import { replay } from './decide.ts'
import { digestPair } from '../digest.ts'
import { toExpiry } from './decide-hold.ts'
import type { Decision } from '../types.ts'

describe('a hold whose time is over', () => {
  const due = { ...HOLD, expiresAtMs: NOW_MS }
  const expiry: DigestedRequest = {
    ...toExpiry(due),
    scope: 0,
    digest: digestPair(0, 'HOLD_EXPIRY', HOLD.digest),
  }

  it('is booked before the first new request, so that its money can be spent', () => {
    const output = runOn([requestOf('debit', 180n)], due, {}, { due: [due] })
    assert.deepEqual(
      output.decisions.map(({ kind, refusal }) => [kind, refusal]),
      [
        ['expiry', null],
        ['debit', null],
      ],
    )
    assert.equal(output.outcomes.length, 1)
    assert.equal(output.outcomes[0]?.decision.kind, 'debit')
    const [{ heldChange, amount, counterAccount } = assert.fail()] = output.operations
    assert.deepEqual([heldChange, amount, counterAccount], [-80n, 80n, ACCOUNT])
    assert.equal(output.holds.get(HOLD.digest)?.closedBy, 'expiry')
    assert.deepEqual([...output.accountChanges], [[ACCOUNT, 180n]])
  })

  it('can no longer be captured or released', () => {
    for (const request of [changeOf('capture', 1n), changeOf('release', undefined)]) {
      const output = runOn([request], due, {}, { due: [due] })
      assert.equal(output.outcomes[0]?.decision.refusal, 'HOLD_EXPIRED')
    }
  })

  it('pays debt first', () => {
    const output = runOn([requestOf('credit', 1n)], due, { debt: 30n }, { due: [due] })
    const after = output.wallets.get(1n)
    assert.deepEqual([after?.balance, after?.debt, after?.held], [151n, 0n, 0n])
  })

  it('expires once if the request is its own expiry, however often', () => {
    const output = runOn([expiry, expiry], due, {}, { due: [due] })
    assert.equal(output.decisions.length, 1)
    for (const { decision, mismatch } of output.outcomes) {
      assert.deepEqual([decision.kind, decision.refusal, mismatch], ['expiry', null, []])
    }
  })

  it('is not booked for a repeat', () => {
    const known: Decision = {
      digest: digestPair(ACCOUNT, 'ORDER', 'order-1'),
      walletId: 1n,
      seq: 3n,
      kind: 'debit',
      amountMinor: 5n,
      balanceAfter: 100n,
      refusal: null,
      decidedAtMs: NOW_MS - 1,
    }
    const decided = new Map([[known.digest, known]])
    const output = runOn([requestOf('debit', 5n)], due, {}, { due: [due], decided })
    assert.deepEqual([output.decisions, output.operations], [[], []])
  })

  it('leaves no trace if it was closed, or its time is not over by the clock of the batch', () => {
    const output = runOn([expiry], { remaining: 0n, closedBy: 'release' })
    assert.equal(output.outcomes[0]?.decision.refusal, 'HOLD_CLOSED')
    assert.deepEqual([output.decisions, output.operations, output.holds.size], [[], [], 0])
  })
})

describe('a repeat', () => {
  const decided = (about: Partial<Decision>): Decision => ({
    digest: HOLD.digest,
    walletId: 1n,
    seq: 3n,
    kind: 'hold',
    amountMinor: 80n,
    balanceAfter: 100n,
    refusal: null,
    decidedAtMs: NOW_MS,
    ...about,
  })
  const hold = decided({ hold: { expiresAtMs: NOW_MS + 60_000 } })
  const captured = decided({ kind: 'capture', holdChange: { ...TERMS, held: 0n, released: 0n } })
  const rest = decided({ kind: 'capture', holdChange: { ...OMITTED, held: 0n, released: 0n } })
  const other = { target: digestPair(ACCOUNT, 'ORDER', 'another') }
  const CASES: [string, Decision, DigestedRequest, string[]][] = [
    ['of a hold', hold, holdOf(80n), []],
    ['with another amount', hold, holdOf(81n), ['amount']],
    ['with another time', hold, holdOf(80n, 61_000), ['expiresInSeconds']],
    ['of another user', hold, { ...holdOf(80n), walletId: 2n }, ['serviceUserId']],
    ['of a capture', captured, changeOf('capture', 80n), []],
    ['of a capture without an amount', rest, changeOf('capture', undefined), []],
    ['now without the amount', captured, changeOf('capture', undefined), ['amount']],
    ['of another hold', captured, { ...changeOf('capture', 80n, other), walletId: 2n }, ['hold']],
    ['that is not final', captured, changeOf('capture', 80n, { isFinal: false }), ['isFinal']],
    ['as a release', rest, changeOf('release', undefined), ['direction']],
    ['as a debit', hold, requestOf('debit', 80n), ['direction']],
  ]
  for (const [name, decision, asked, differs] of CASES) {
    it(`${name}: ${differs.join(', ') || 'no difference'}`, () => {
      assert.deepEqual(replay(decision, asked), { decision, replayed: true, mismatch: differs })
    })
  }
})
