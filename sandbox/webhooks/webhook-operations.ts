import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { LIST_PARAMS, listObjects } from '../http/list-objects.ts'
import type { Call, Operation } from '../http/mount-api.ts'
import { mergeMetadata, readString, readStrings, requireString } from '../http/read-params.ts'
import { createId, nowSeconds, randomText } from '../state.ts'
import { invalidRequest, missing } from '../stripe-error.ts'

export const WEBHOOK_OPERATIONS: Operation[] = [
  {
    route: 'GET /v1/events',
    accepts: [...LIST_PARAMS, 'type', 'types', 'delivery_success'],
    run: listEvents,
  },
  { route: 'GET /v1/events/:id', accepts: [], run: retrieveEvent },
  {
    route: 'POST /v1/webhook_endpoints',
    accepts: ['url', 'enabled_events', 'description', 'metadata', 'api_version'],
    run: createEndpoint,
  },
  { route: 'GET /v1/webhook_endpoints', accepts: LIST_PARAMS, run: listEndpoints },
  { route: 'GET /v1/webhook_endpoints/:id', accepts: [], run: retrieveEndpoint },
  { route: 'DELETE /v1/webhook_endpoints/:id', accepts: [], run: deleteEndpoint },
]

function listEvents({ sandbox, params }: Call) {
  const type = readString(params, 'type')
  const types = readStrings(params, 'types')
  const success = readString(params, 'delivery_success')
  if (type !== null && types !== null) {
    throw invalidRequest('You may not specify both the `type` and `types` parameters.')
  }
  const isWanted = (event: Stripe.Event) =>
    (type === null || matches(event.type, type)) &&
    (types === null || types.some((wanted) => matches(event.type, wanted))) &&
    (success === null || String(event.pending_webhooks === 0) === success)
  return listObjects(sandbox.state.events, params, '/v1/events', isWanted)
}

/** `charge.*` matches every event type that starts with `charge.`. */
function matches(type: string, wanted: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted
}

function retrieveEvent({ sandbox, id }: Call) {
  const event = sandbox.state.events.get(id)
  if (event === undefined) throw missing('event', id)
  return event
}

export function addWebhookEndpoint(
  { state }: Pick<Sandbox, 'state'>,
  url: string,
  secret: string,
  events: string[] = ['*'],
): Stripe.WebhookEndpoint {
  const endpoint: Stripe.WebhookEndpoint = {
    id: createId('we'),
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: nowSeconds(),
    description: null,
    enabled_events: events,
    livemode: false,
    metadata: {},
    status: 'enabled',
    url,
  }
  state.webhookEndpoints.set(endpoint.id, endpoint)
  state.webhookSecrets.set(endpoint.id, secret)
  return endpoint
}

/** The only response that shows the secret, as with Stripe. */
function createEndpoint({ sandbox, params }: Call) {
  const url = requireString(params, 'url')
  if (!URL.canParse(url)) throw invalidRequest('Invalid URL', { code: 'url_invalid', param: 'url' })
  const events = readStrings(params, 'enabled_events')
  if (events === null) {
    const detail = { code: 'parameter_missing', param: 'enabled_events' }
    throw invalidRequest('Missing required param: enabled_events.', detail)
  }
  const secret = `whsec_${randomText(32)}`
  const endpoint = addWebhookEndpoint(sandbox, url, secret, events)
  endpoint.description = readString(params, 'description')
  endpoint.metadata = mergeMetadata({}, params)
  return { ...endpoint, secret }
}

function listEndpoints({ sandbox, params }: Call) {
  return listObjects(sandbox.state.webhookEndpoints, params, '/v1/webhook_endpoints')
}

function retrieveEndpoint({ sandbox, id }: Call) {
  const endpoint = sandbox.state.webhookEndpoints.get(id)
  if (endpoint === undefined) throw missing('webhook endpoint', id)
  return endpoint
}

function deleteEndpoint(call: Call) {
  const { id } = retrieveEndpoint(call)
  call.sandbox.state.webhookEndpoints.delete(id)
  call.sandbox.state.webhookSecrets.delete(id)
  return { id, object: 'webhook_endpoint', deleted: true }
}
