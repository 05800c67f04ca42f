/** The types are written by hand, so that what is published needs nobody else's; here they are held to the contract. */
import * as server from '@coffer/contract/server-api'
import { createSession } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { Transaction } from '@coffer/contract/shapes'
import { ERROR_CLASSES } from './errors.ts'
import type * as types from './types.ts'

/** The compiler's own idea of the same type; anything weaker lets an optional field or `any` pass. */
// oxlint-disable typescript/no-unnecessary-type-parameters
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
// oxlint-enable typescript/no-unnecessary-type-parameters
type Answer<E extends Endpoint> = E['answer']['_zod']['output']
type Input<E extends Endpoint> = E['input']['_zod']['input']
/** What the contract takes, the SDK takes too, and it has no field more or less. */
type Fits<Sdk, Contract> =
  Equal<keyof Sdk, keyof Contract> extends true ? (Contract extends Sdk ? true : false) : false

type Answers = [
  Equal<types.Transaction, Transaction>,
  Equal<types.Wallet, Answer<typeof server.readWallet>>,
  Equal<types.BalanceCheck, Answer<typeof server.checkBalance>>,
  Equal<Omit<types.OperationResult, 'replayed'>, Answer<typeof server.debit>>,
  Equal<Omit<types.OperationResult, 'replayed'>, Answer<typeof server.credit>>,
  Equal<types.Operation, Answer<typeof server.findOperation>>,
  Equal<types.Link, Answer<typeof server.exchangeLinkCode>>,
  Equal<types.Session, Answer<typeof createSession>>,
]
type Inputs = [
  // In an address everything is text; the SDK writes the number there.
  Fits<Omit<types.WalletInput, 'limit'>, Omit<Input<typeof server.readWallet>, 'limit'>>,
  Fits<types.CheckBalanceInput, Input<typeof server.checkBalance>>,
  Fits<types.OperationInput, Input<typeof server.debit>>,
  Fits<types.OperationInput, Input<typeof server.credit>>,
  Fits<types.Reference, Input<typeof server.findOperation>>,
  Fits<types.LinkInput, Input<typeof server.exchangeLinkCode>>,
  Fits<types.SessionInput, Input<typeof createSession>>,
]
/** The compiler refuses this line if any of them is false. */
const proof: (Answers | Inputs)[number] extends true ? true : never = true
const wrong: Equal<types.Link, { serviceUserId: string; more?: string }> = false

describe('the types', () => {
  it('are the contract’s', () => {
    assert.notEqual(proof, wrong)
  })

  it('know every code that the calls may be answered with', () => {
    const promised = Object.values({ ...server.SERVER_ENDPOINTS, createSession })
      .flatMap(({ errors }) => Object.keys(errors))
      // This one is told as null.
      .filter((code) => code !== 'OPERATION_NOT_FOUND')
    const ours = ['ACCOUNT_NOT_LINKED', 'REPLAY_MISMATCH', 'UNEXPECTED_ANSWER']
    assert.deepEqual(
      Object.keys(ERROR_CLASSES).toSorted(),
      [...new Set([...promised, ...ours])].toSorted(),
    )
  })
})
