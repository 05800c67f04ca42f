/** The schemas of the OpenAPI document, derived from those of the contract. */
import { z } from 'zod'
import { UNHANDLED_ERROR, type ErrorCode } from './errors.ts'
import { EVENT_WAIT_SECONDS, EVENTS_MAX, TRANSACTIONS_MAX } from './limits.ts'
import * as batch from './server/batch.ts'
import * as events from './server/events.ts'
import * as holds from './server/holds.ts'
import { debitReference, listedOperation } from './server/operation-fields.ts'
import * as server from './server/wallet.ts'
import * as shape from './shapes.ts'
import * as webhooks from './server/webhooks.ts'
import * as widget from './widget/widget.ts'
import { delivery, testResult, webhook } from './server/webhook-shapes.ts'

export type Json = Record<string, unknown>

/** No `\d` and `\w`: in some languages they match letters and digits of other scripts too. */
const DECIMAL = String.raw`^(0|[1-9][0-9]{0,8})(\.[0-9]{1,3})?$`

const INSTEAD = 'Instead of HTTP Basic authentication.'
const CREDENTIALS: Record<string, Json> = {
  clientId: { type: 'string', maxLength: 28, pattern: '^app_[0-9a-f]{24}$', description: INSTEAD },
  clientSecret: { type: 'string', format: 'password', maxLength: 256, description: INSTEAD },
}

/** Clients that are generated from the document name their types after these. */
type Named = [name: string, schema: z.ZodObject][]
const BACKEND_REQUESTS: Named = [
  ['OperationRequest', server.debit.input],
  ['RefundRequest', server.refund.input],
  ['HoldRequest', holds.hold.input],
  ['CaptureRequest', holds.capture.input],
  ['ReleaseRequest', holds.release.input],
  ['BatchRequest', batch.batch.input],
  ['WebhookRequest', webhooks.createOwnWebhook.input],
  ['WebhookChange', webhooks.changeOwnWebhook.input],
  ['WebhookDeletion', webhooks.deleteOwnWebhook.input],
  ['WebhookRotation', webhooks.rotateOwnWebhookSecret.input],
  ['WebhookTest', webhooks.testOwnWebhook.input],
  ['ResendRequest', webhooks.resendOwnEvents.input],
  ['LinkCodeRequest', server.exchangeLinkCode.input],
  ['SessionRequest', widget.createSession.input],
]
const PAGE_REQUESTS: Named = [
  ['TopupRequest', widget.createIntent.input],
  ['TopupConfirmation', widget.confirmTopup.input],
]
const PARTS: Named = [
  ['DebitReference', debitReference],
  ['HoldReference', holds.holdReference],
  ['BatchOperation', batch.batchOperation],
]
const RESPONSES: Named = [
  ['Wallet', server.readWallet.response],
  ['Transaction', shape.transaction],
  ['BalanceCheck', server.checkBalance.response],
  ['OperationResult', server.debit.response],
  ['RefundResult', server.refund.response],
  ['HoldResult', holds.hold.response],
  ['CaptureResult', holds.capture.response],
  ['ReleaseResult', holds.release.response],
  ['HoldList', holds.listHolds.response],
  ['ListedHold', shape.listedHold],
  ['BatchResponse', batch.batch.response],
  ['BatchResult', batch.batchResult],
  ['OriginalOutcome', batch.originalOutcome],
  ['Operation', server.findOperation.response],
  ['OperationList', server.listOwnOperations.response],
  ['ListedOperation', listedOperation],
  ['EventList', events.readEvents.response],
  ['Event', events.event],
  ['EventData', events.eventData],
  ['WebhookList', webhooks.listOwnWebhooks.response],
  ['Webhook', webhook],
  ['NewWebhook', webhooks.createOwnWebhook.response],
  ['ChangedWebhook', webhooks.changeOwnWebhook.response],
  ['DeletedWebhook', webhooks.deleteOwnWebhook.response],
  ['WebhookSecret', webhooks.rotateOwnWebhookSecret.response],
  ['DeliveryAttempt', testResult],
  ['DeliveryList', webhooks.listOwnDeliveries.response],
  ['Delivery', delivery],
  ['ResendResult', webhooks.resendOwnEvents.response],
  ['Link', server.exchangeLinkCode.response],
  ['Session', widget.createSession.response],
  ['WidgetWallet', widget.readWidgetWallet.response],
  ['WalletOwner', shape.walletOwner],
  ['PaymentIntent', widget.createIntent.response],
  ['TopupResult', widget.confirmTopup.response],
]

export function describeSchemas(codes: readonly string[]): Record<string, Json> {
  const requests = Object.entries(convertNamed(BACKEND_REQUESTS, 'input'))
  const withCredentials = requests.map(([name, { properties, ...schema }]) => [
    name,
    { ...schema, properties: { ...CREDENTIALS, ...(properties as Json) } },
  ])
  return {
    ...(Object.fromEntries(withCredentials) as Record<string, Json>),
    ...convertNamed(PARTS, 'input'),
    ...convertNamed(PAGE_REQUESTS, 'input'),
    ...convertNamed(RESPONSES, 'output'),
    Error: describeError(codes),
  }
}

/** A reference to the named schema, so that generated clients have one type for it. */
export function refTo(schema: z.ZodObject): Json {
  const all = [...BACKEND_REQUESTS, ...PAGE_REQUESTS, ...RESPONSES]
  const named = all.find(([, each]) => each === schema)
  if (named === undefined) throw new Error('A schema of a public endpoint needs a name.')
  return { $ref: pathOf(named[0]) }
}

/** The fields of a query. */
export function describeParameters(query: z.ZodObject): Json[] {
  const { properties, required } = convert(query, 'input') as {
    properties: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    // The contract accepts a request without a session, because its error is INVALID_SESSION.
    required: name === 'session' || required?.includes(name) === true,
    description,
    schema,
  }))
}

function describeError(codes: readonly string[]): Json {
  const known = [...codes, UNHANDLED_ERROR.code]
  return {
    type: 'object',
    required: ['error', 'code'],
    properties: {
      error: {
        type: 'string',
        maxLength: 1000,
        description: 'What happened and what to do about it, for human readers.',
      },
      code: {
        ...convert(shape.errorCode(known), 'output'),
        description: `What happened, for programs. New codes may be added: treat an unknown one by its status. Known codes: ${known.map((code) => `\`${code}\``).join(', ')}.`,
        example: 'INSUFFICIENT_BALANCE' satisfies ErrorCode,
      },
      requiresAuth: { type: 'boolean', description: 'The user must authenticate in the widget.' },
      field: {
        type: 'string',
        maxLength: 255,
        description: 'With INVALID_REQUEST and INVALID_AMOUNT: the invalid field.',
      },
      original: { $ref: pathOf('OriginalOutcome') },
    },
  }
}

/** More generators read version 3.0 than 3.1. */
const TARGET = { target: 'openapi-3.0', override: describeInput } as const

const pathOf = (name: string) => `#/components/schemas/${name}`

function convertNamed(named: Named, io: 'input' | 'output'): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { ...TARGET, io, uri: pathOf })
  return simplify(schemas) as Record<string, Json>
}

function convert(schema: z.ZodType, io: 'input' | 'output'): Json {
  return simplify(z.toJSONSchema(schema, { ...TARGET, io })) as Json
}

/** Query parameters are text in the contract. */
const WHOLE_NUMBERS = new Map<unknown, { minimum: number; maximum: number }>([
  [shape.limit, { minimum: 1, maximum: TRANSACTIONS_MAX }],
  [events.eventLimit, { minimum: 1, maximum: EVENTS_MAX }],
  [events.waitSeconds, { minimum: 0, maximum: EVENT_WAIT_SECONDS }],
])

/** In the contract, amounts are the source text of a number, and the operations of a batch are not checked yet. */
function describeInput({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: unknown
  jsonSchema: z.core.JSONSchema.BaseSchema
}) {
  const decimal = { type: 'string', maxLength: 13, pattern: DECIMAL } as const
  if (zodSchema === shape.amount) {
    jsonSchema.anyOf = [
      { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 999999999.99 },
      decimal,
    ]
    delete jsonSchema.type
    delete jsonSchema.maxLength
  }
  if (zodSchema === shape.requiredAmount) Object.assign(jsonSchema, decimal)
  if (zodSchema === batch.batchOperations) jsonSchema.items = { $ref: pathOf('BatchOperation') }
  const bounds = WHOLE_NUMBERS.get(zodSchema)
  if (bounds) {
    Object.assign(jsonSchema, { type: 'integer', ...bounds })
    delete jsonSchema.pattern
  }
}

/** Responses may get new fields, so nothing is closed. Version 3.0 has one example of a schema. */
function simplify(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(simplify)
  if (typeof json !== 'object' || json === null) return json
  const { $schema: _, $id: __, additionalProperties: ___, examples, ...rest } = json as Json
  const all = Object.entries(rest).map(([key, value]) => [key, simplify(value)])
  const example = Array.isArray(examples) ? { example: examples[0] as unknown } : {}
  return { ...Object.fromEntries(all), ...example }
}
