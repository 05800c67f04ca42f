/** Compares the types with the contract. They are written by hand, so that the package needs no other types. */
import * as batches from '@coffer/contract/server/batch'
import type { event, EventType, readEvents } from '@coffer/contract/server/events'
import * as holds from '@coffer/contract/server/holds'
import * as server from '@coffer/contract/server/wallet'
import type * as webhooks from '@coffer/contract/server/webhooks'
import { createSession } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Endpoint } from '@coffer/contract/endpoint'
import { ERRORS, UNHANDLED_ERROR, type ErrorCode } from '@coffer/contract/errors'
import type { Transaction } from '@coffer/contract/shapes'
import { ERROR_CLASSES } from './errors.ts'
import type { CofferEvent } from './event-types.ts'
import type * as types from './types.ts'
import type * as manage from './webhook/manage-types.ts'
import type * as webhook from './webhook/types.ts'

/** Whether the compiler considers the types identical; a weaker check would accept an optional field or `any`. */
// oxlint-disable typescript/no-unnecessary-type-parameters
type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
// oxlint-enable typescript/no-unnecessary-type-parameters
type Output<E extends Endpoint> = E['response']['_zod']['output']
type Input<E extends Endpoint> = E['input']['_zod']['input']
/** The SDK accepts everything that the contract accepts, and has the same fields. */
type Fits<Sdk, Contract> =
  Equal<keyof Sdk, keyof Contract> extends true ? (Contract extends Sdk ? true : false) : false

type Data<Type extends EventType> = Extract<CofferEvent, { type: Type }>['data']
/** The names of the fields of each type in a union. */
type KeysOf<Union> = Union extends unknown ? keyof Union : never
type BatchFields = (typeof batches.batchOperation)['_zod']['input']
type EventData = (typeof event)['_zod']['output']['data']

type Outputs = [
  Equal<CofferEvent['type'], EventType>,
  Equal<keyof CofferEvent, keyof Output<typeof readEvents>['events'][number]>,
  Equal<Exclude<webhook.WebhookEvent['type'], webhook.UnknownType>, EventType | 'ping'>,
  // Each field of the data belongs to some type of event.
  Equal<{ [Type in EventType]: keyof Data<Type> }[EventType], Exclude<keyof EventData, never>>,
  CofferEvent['data'] extends EventData ? true : false,
  Equal<types.Transaction, Transaction>,
  Equal<types.Wallet, Output<typeof server.readWallet>>,
  Equal<types.BalanceCheck, Output<typeof server.checkBalance>>,
  Equal<Omit<types.OperationResult, 'replayed'>, Output<typeof server.debit>>,
  Equal<Omit<types.OperationResult, 'replayed'>, Output<typeof server.credit>>,
  Equal<Omit<types.HoldResult, 'replayed'>, Output<typeof holds.hold>>,
  Equal<Omit<types.CaptureResult, 'replayed'>, Output<typeof holds.capture>>,
  Equal<Omit<types.ReleaseResult, 'replayed'>, Output<typeof holds.release>>,
  Equal<KeysOf<types.BatchResult>, keyof batches.BatchResult>,
  types.BatchSuccess extends batches.BatchResult ? true : false,
  Omit<types.BatchFailure, 'original'> extends batches.BatchResult ? true : false,
  Equal<types.Operation, Output<typeof server.findOperation>>,
  Equal<types.ListedOperation, Output<typeof server.listOwnOperations>['operations'][number]>,
  Equal<types.ListedHold, Output<typeof holds.listHolds>['holds'][number]>,
  Equal<manage.Webhook, Output<typeof webhooks.listOwnWebhooks>['webhooks'][number]>,
  Equal<manage.NewWebhook, Output<typeof webhooks.createOwnWebhook>>,
  Equal<manage.DeliveryAttempt, Output<typeof webhooks.testOwnWebhook>>,
  Equal<manage.Delivery, Output<typeof webhooks.listOwnDeliveries>['deliveries'][number]>,
  Equal<manage.ResendResult, Output<typeof webhooks.resendOwnEvents>>,
  Equal<types.Link, Output<typeof server.exchangeLinkCode>>,
  Equal<types.Session, Output<typeof createSession>>,
]
type Inputs = [
  // In a query string everything is text; the SDK converts the number.
  Fits<Omit<types.WalletInput, 'limit'>, Omit<Input<typeof server.readWallet>, 'limit'>>,
  Fits<types.CheckBalanceInput, Input<typeof server.checkBalance>>,
  Fits<types.OperationInput, Input<typeof server.debit>>,
  Fits<types.OperationInput, Input<typeof server.credit>>,
  Fits<types.RefundInput, Input<typeof server.refund>>,
  Fits<types.HoldInput, Input<typeof holds.hold>>,
  Fits<types.CaptureInput, Input<typeof holds.capture>>,
  Fits<types.ReleaseInput, Input<typeof holds.release>>,
  Equal<KeysOf<types.BatchOperation>, keyof BatchFields>,
  Equal<types.BatchOperation['type'], BatchFields['type']>,
  Fits<types.Reference, Input<typeof server.findOperation>>,
  Fits<types.OperationsInput, Omit<Input<typeof server.listOwnOperations>, 'limit' | 'cursor'>>,
  Fits<types.HoldsInput, Omit<Input<typeof holds.listHolds>, 'limit' | 'cursor'>>,
  Fits<Omit<types.ExportInput, 'signal'>, Input<typeof server.exportOperations>>,
  Fits<manage.WebhookInput, Input<typeof webhooks.createOwnWebhook>>,
  Fits<manage.WebhookChange, Input<typeof webhooks.changeOwnWebhook>>,
  Fits<manage.WebhookRotation, Input<typeof webhooks.rotateOwnWebhookSecret>>,
  Fits<manage.DeliveriesInput, Omit<Input<typeof webhooks.listOwnDeliveries>, 'cursor'>>,
  Fits<manage.ResendInput, Input<typeof webhooks.resendOwnEvents>>,
  Fits<types.LinkInput, Input<typeof server.exchangeLinkCode>>,
  Fits<types.SessionInput, Input<typeof createSession>>,
]
const STATUSES = [400, 403, 404, 409, 500, 503] as const
type Statuses = [Equal<types.BatchFailure['status'], (typeof STATUSES)[number]>]
/** The compiler rejects this line if any of them is false. */
const proof: (Outputs | Inputs | Statuses)[number] extends true ? true : never = true
const wrong: Equal<types.Link, { serviceUserId: string; more?: string }> = false

describe('the types', () => {
  it('match the contract', () => {
    assert.notEqual(proof, wrong)
  })

  it('include every status that a result of a batch can have', () => {
    const { debit, credit, refund } = server
    const { hold, capture, release } = holds
    const codes = [debit, credit, refund, hold, capture, release].flatMap(({ errors }) =>
      (Object.keys(errors) as ErrorCode[]).filter((code) => !(code in batches.batch.errors)),
    )
    codes.push(...(Object.keys(batches.BATCH_RESULT_ERRORS) as ErrorCode[]))
    const statuses = [...codes.map((code) => ERRORS[code].status), UNHANDLED_ERROR.status]
    assert.deepEqual(new Set(statuses), new Set(STATUSES))
  })

  it('include every error code that the calls may return', () => {
    const promised = Object.values({ ...server.SERVER_ENDPOINTS, createSession }).flatMap(
      ({ errors }) => Object.keys(errors),
    )
    const ours = ['ACCOUNT_NOT_LINKED', 'INTERNAL_ERROR', 'REPLAY_MISMATCH', 'UNEXPECTED_RESPONSE']
    assert.deepEqual(
      Object.keys(ERROR_CLASSES).toSorted(),
      [...new Set([...promised, ...ours])].toSorted(),
    )
  })
})
