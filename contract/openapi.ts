/** Builds docs/openapi.json from the endpoints, so that the document always matches the code. */
import type { Endpoint } from './endpoint.ts'
import {
  type ErrorCode,
  type ErrorEntry,
  ERRORS,
  RECORDED_REFUSALS,
  UNHANDLED_ERROR,
} from './errors.ts'
import { API_VERSION } from './limits.ts'
import { describeParameters, describeSchemas, type Json, refTo } from './openapi-schemas.ts'
import { SERVER_ENDPOINTS } from './server/wallet.ts'
import { createSession, WIDGET_ENDPOINTS } from './widget/widget.ts'

const ENDPOINTS: Record<string, Endpoint> = { ...SERVER_ENDPOINTS, ...WIDGET_ENDPOINTS }

const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    description:
      'Identifies the request in the log of the service. Include it when you report a problem.',
    required: true,
    schema: { type: 'string', format: 'uuid', maxLength: 36 },
  },
  'Retry-After': {
    description: 'How many seconds to wait before the same request is sent again.',
    required: true,
    schema: { type: 'integer', minimum: 1, maximum: 86_400 },
  },
  'Idempotency-Replayed': {
    description: 'Present if the outcome was recorded by an earlier request with this reference.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Idempotency-Mismatch': {
    description:
      'Present if that request was different: the fields that differ, such as `amount, serviceUserId`. Nothing was executed; do not treat the order as paid.',
    schema: { type: 'string', maxLength: 64, pattern: '^[A-Za-z]+(, [A-Za-z]+)*$' },
  },
}

const IDEMPOTENCY = ['Idempotency-Replayed', 'Idempotency-Mismatch']
const CODES_WITH_RETRY_AFTER: ErrorCode[] = [
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
  'PAYMENT_PROVIDER_ERROR',
  'TOPUP_LIMIT_EXCEEDED',
]

export function buildOpenApi(): Json {
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
    const operation = { [endpoint.method.toLowerCase()]: describeOperation(name, endpoint) }
    paths[endpoint.path] = { ...paths[endpoint.path], ...operation }
  }
  const isReturned = (code: string) => Object.values(ENDPOINTS).some(({ errors }) => code in errors)
  return {
    openapi: '3.0.3',
    info: {
      title: 'Coffer',
      version: API_VERSION,
      description:
        'A wallet service that other apps can build on. Amounts are JSON numbers in major units of the deployment’s one currency. Fields, endpoints, values of `code` and headers may be added; ignore those that you do not know.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/', description: 'This deployment' }],
    tags: [
      { name: 'Server API', description: 'Called only by the backend of a client app.' },
      { name: 'Widget API', description: 'Called by the hosted widget, with a session.' },
    ],
    paths,
    components: {
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description:
            'clientId as user, clientSecret as password. A POST accepts both as fields of its body instead.',
        },
        clientId: { type: 'apiKey', in: 'query', name: 'clientId' },
        clientSecret: {
          type: 'apiKey',
          in: 'query',
          name: 'clientSecret',
          description: 'URLs are often logged, so prefer HTTP Basic authentication.',
        },
      },
      headers: HEADERS,
      schemas: describeSchemas(Object.keys(ERRORS).filter(isReturned)),
    },
  }
}

function describeOperation(name: string, endpoint: Endpoint): Json {
  const isServer = name in SERVER_ENDPOINTS || endpoint === createSession
  const isGet = endpoint.method === 'GET'
  const query = isGet ? endpoint.input : endpoint.query
  const inQuery = isGet ? [{ clientId: [], clientSecret: [] }] : []
  return {
    operationId: name,
    tags: [isServer ? 'Server API' : 'Widget API'],
    summary: endpoint.summary,
    description: endpoint.description + describeScope(endpoint),
    security: isServer ? [{ basic: [] }, ...inQuery] : [],
    ...(query && { parameters: describeParameters(query) }),
    ...(!isGet && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refTo(endpoint.input) } },
      },
    }),
    responses: {
      200: {
        description: 'Success',
        headers: describeHeaders(isIdempotent(endpoint) ? IDEMPOTENCY : []),
        content: {
          [endpoint.isNdjson ? 'application/x-ndjson' : 'application/json']: {
            schema: refTo(endpoint.response),
          },
        },
      },
      ...describeErrors(endpoint),
    },
  }
}

function describeScope({ scope, requiresRestrictedSecret, secretScopes = [] }: Endpoint): string {
  if (requiresRestrictedSecret)
    return ` Needs a secret with the scope \`${secretScopes.join('` or `')}\`.`
  return scope ? ` Scope: \`${scope}\`.` : ''
}

function describeErrors(endpoint: Endpoint): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const promised = endpoint.errors[code]
    if (promised === undefined) continue
    const status = promised.status ?? ERRORS[code].status
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const statuses = [...byStatus].map(([status, codes]): [number, Json] => {
    const lines = codes.map((code) => explain(code, { ...ERRORS[code], ...endpoint.errors[code] }))
    const isRecorded = isIdempotent(endpoint) && codes.some(isOutcome)
    const waits = codes.some((code) => CODES_WITH_RETRY_AFTER.includes(code))
    return [
      status,
      describeError(lines.join('\n\n'), [
        ...(waits ? ['Retry-After'] : []),
        ...(isRecorded ? IDEMPOTENCY : []),
      ]),
    ]
  })
  const unhandled = describeError(explain(UNHANDLED_ERROR.code, UNHANDLED_ERROR), [])
  return Object.fromEntries([...statuses, [UNHANDLED_ERROR.status, unhandled]])
}

function describeError(description: string, headers: readonly string[]): Json {
  return {
    description,
    headers: describeHeaders(headers),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

function explain(code: string, { text, requiresAuth }: Pick<ErrorEntry, 'text' | 'requiresAuth'>) {
  return `\`${code}\`${requiresAuth ? ' with `requiresAuth: true`' : ''}: ${text}`
}

function describeHeaders(names: readonly string[]): Json {
  const all = ['X-Request-Id', ...names]
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Whether the service records the outcomes. */
function isIdempotent({ scope }: Endpoint): boolean {
  return scope === 'wallet:write'
}

/** Whether a repeated request can return this code. */
function isOutcome(code: ErrorCode): boolean {
  return code === 'REFERENCE_MISMATCH' || RECORDED_REFUSALS.some((each) => each === code)
}
