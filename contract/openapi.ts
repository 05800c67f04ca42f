/** Builds docs/openapi.json from the endpoints, so that the document always matches the code. */
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import { API_VERSION } from './limits.ts'
import { SERVER_ENDPOINTS } from './server-api.ts'
import * as shape from './shapes.ts'
import { createSession, WIDGET_ENDPOINTS } from './widget-api.ts'

type Json = Record<string, unknown>

const DECIMAL = String.raw`^(0|[1-9]\d{0,8})(\.\d{1,3})?$`
const CREDENTIALS: Record<string, Json> = {
  clientId: { type: 'string', description: 'Not needed with HTTP Basic authentication.' },
  clientSecret: {
    type: 'string',
    format: 'password',
    description: 'Backend use only. Not needed with HTTP Basic authentication.',
  },
}

export function buildOpenApi(): Json {
  const paths: Record<string, Json> = {}
  for (const [name, endpoint] of Object.entries<Endpoint>({
    ...SERVER_ENDPOINTS,
    ...WIDGET_ENDPOINTS,
  })) {
    paths[endpoint.path] = { [endpoint.method.toLowerCase()]: describeOperation(name, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coffer',
      version: API_VERSION,
      summary: 'A wallet service that other apps can build on.',
      description:
        'Amounts are JSON numbers in major units of the deployment’s one currency. Every response has an `X-Request-Id` header; include it when you report a problem.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
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
          description: 'clientId as user, clientSecret as password.',
        },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'string',
              description: 'What happened and what to do about it, for human readers.',
            },
            code: { type: 'string', enum: Object.keys(ERRORS) },
            requiresAuth: {
              type: 'boolean',
              description: 'The user must authenticate in the widget.',
            },
            field: {
              type: 'string',
              description: 'With INVALID_REQUEST: the invalid field.',
            },
          },
        },
      },
    },
  }
}

function describeOperation(name: string, endpoint: Endpoint): Json {
  const input = toJsonSchema(endpoint.input, 'input')
  const properties = input['properties'] as Record<string, Json>
  const required = (input['required'] ?? []) as string[]
  const isServer = name in SERVER_ENDPOINTS || endpoint.path === createSession.path
  const fields = isServer ? { ...CREDENTIALS, ...properties } : properties
  return {
    operationId: name,
    tags: [isServer ? 'Server API' : 'Widget API'],
    summary: endpoint.summary,
    description: endpoint.description + (endpoint.scope ? ` Scope: \`${endpoint.scope}\`.` : ''),
    // The credentials can be sent in the query or body instead, so the header is optional.
    security: isServer ? [{ basic: [] }, {}] : [],
    ...(endpoint.method === 'GET'
      ? { parameters: describeParameters(fields, required) }
      : {
          ...(endpoint.query && { parameters: describeQuery(endpoint.query) }),
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { type: 'object', properties: fields, required } },
            },
          },
        }),
    responses: {
      200: {
        description: 'Success',
        content: { 'application/json': { schema: toJsonSchema(endpoint.response, 'output') } },
      },
      ...describeErrors(endpoint),
    },
  }
}

function describeQuery(query: z.ZodObject): Json[] {
  const { properties, required } = toJsonSchema(query, 'input')
  return describeParameters(properties as Record<string, Json>, (required ?? []) as string[])
}

function describeParameters(fields: Record<string, Json>, required: string[]): Json[] {
  return Object.entries(fields).map(([field, { description, ...schema }]) => ({
    name: field,
    in: 'query',
    required: required.includes(field),
    description,
    schema,
  }))
}

function describeErrors(endpoint: Endpoint): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const promised = endpoint.errors[code]
    if (promised === undefined) continue
    const status = promised.status ?? ERRORS[code].status
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const entries = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    entries.map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].text}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const {
    $schema: _,
    additionalProperties: __,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    override({ zodSchema, jsonSchema }) {
      if (zodSchema === shape.amount) {
        jsonSchema.anyOf = [
          { type: 'number', exclusiveMinimum: 0, maximum: 999999999.99 },
          { type: 'string', pattern: DECIMAL },
        ]
        delete jsonSchema.type
        delete jsonSchema.maxLength
      }
      if (zodSchema === shape.requiredAmount) {
        jsonSchema.pattern = DECIMAL
        delete jsonSchema.maxLength
      }
    },
  }) as Json
  return json
}
