/** Generates one request from the seed and its number: valid, nearly valid or hostile. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { PATH_TRICKS, TEXTS } from '../../server/test/requests/values.ts'
import { brokenBodies, OTHER_MEDIA_TYPES } from '../../server/test/requests/wrong-input.ts'
import { Dice } from '../clients/dice.ts'
import { chooseCredentials, type Presented } from './choose-credentials.ts'
import {
  listEndpoints,
  listOpenRoutes,
  WEBHOOK,
  type CallRoute,
  type Route,
} from './list-routes.ts'
import { makeValid, makeHostile, makeNearly, type Schema } from './make-values.ts'
import { makeWebhook } from './make-webhook.ts'
import type { Fixtures } from './create-fixtures.ts'
import { readFields, wouldWrite } from './avoid-writes.ts'
import type { HostileRequest, Kind } from './hostile-request.ts'
import { isPrintable, writeJson, writeQuery, type Fields } from './write-request.ts'

const ENDPOINTS = listEndpoints()
const OPEN = listOpenRoutes()
const METHODS = ['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH']
/** JSON in an unusual spelling, which may be accepted. */
const JSON_TYPES = ['application/json; charset=utf-16', 'application/json;;;', 'APPLICATION/JSON']
const MEDIA_TYPES = [...OTHER_MEDIA_TYPES, ...JSON_TYPES, 'application/json, text/plain']

export function makeRequest(fixtures: Fixtures, seed: number, name: string): HostileRequest {
  const dice = new Dice(seed, name)
  const route = pickRoute(dice)
  const kind = dice.pick<Kind>(['valid', 'nearly valid', 'nearly valid', 'hostile', 'hostile'])
  if (route.caller === 'open') return vary(makeOpen(route, kind, fixtures, dice), dice)
  if (route.caller === 'webhook') return vary(makeWebhook(route, kind, fixtures, dice), dice)
  return vary(makeCall(route as CallRoute, kind, fixtures, dice), dice)
}

function pickRoute(dice: Dice): Route {
  const throwIt = dice.next()
  if (throwIt < 0.86) return dice.pick(ENDPOINTS)
  return throwIt < 0.96 ? dice.pick(OPEN) : WEBHOOK
}

function makeCall(route: CallRoute, kind: Kind, fixtures: Fixtures, dice: Dice): HostileRequest {
  const presented = chooseCredentials(route, kind, fixtures, dice)
  const schema = route.endpoint.input as unknown as Schema
  const made = makeValid(schema, dice) as Record<string, unknown>
  const fields: Fields = [...presented.fields, ...Object.entries(made)]
  nameKnown(fields, route, fixtures, dice)
  if (kind !== 'valid') corrupt(fields, route.endpoint, kind, dice)
  const request = compose(route, kind, fields, presented, dice)
  if (kind === 'hostile' && dice.chance(0.15)) corruptBody(request, dice)
  request.isForeign =
    presented.clientId === fixtures.writer.clientId && namesUser(request, fixtures)
  // A change in the name of another client app must be refused.
  if (!request.isForeign && wouldWrite(route, request.body?.toString(), fixtures)) {
    presented.forbid(request)
  }
  return request
}

/** Half of the requests name an existing id; a change of that record is then prevented. */
function nameKnown(fields: Fields, { caller }: Route, { reader }: Fixtures, dice: Dice) {
  if (dice.chance(0.5)) return
  for (const field of fields) {
    if (field[0] === 'serviceUserId') field[1] = reader.serviceUserId
    if (field[0] === 'clientId' && caller !== 'app') field[1] = reader.clientId
  }
}

/** The user of the reader is the only one whose id the callers know. */
function namesUser({ target, body }: HostileRequest, { reader }: Fixtures): boolean {
  const query = new URL(target, 'http://localhost').searchParams.getAll('serviceUserId')
  const named = body === undefined ? query : [readFields(body.toString())?.['serviceUserId']]
  return named.length === 1 && named[0] === reader.serviceUserId
}

/** Corrupts one field of the endpoint, or a few, whether the request has them or not. */
function corrupt(fields: Fields, endpoint: Endpoint, kind: Kind, dice: Dice) {
  const times = kind === 'hostile' ? dice.between(1, 3) : 1
  const names = Object.keys(endpoint.input.shape)
  for (let time = 0; time < times; time++) {
    const known = [...names, ...fields.map(([name]) => name)]
    const name = known.length === 0 || dice.chance(0.12) ? dice.pick(TEXTS) : dice.pick(known)
    const value = kind === 'hostile' ? makeHostile(dice) : makeNearly(endpoint, name, dice)
    const at = fields.findIndex((field) => field[0] === name)
    const action = dice.next()
    if (at < 0 || action < 0.12) fields.push([name, value])
    else if (action < 0.24) fields.splice(at, 1)
    else fields[at] = [name, value]
  }
}

function compose(
  route: Route,
  kind: Kind,
  fields: Fields,
  presented: Presented,
  dice: Dice,
): HostileRequest {
  const { method, path } = route
  const request: HostileRequest = {
    route,
    kind,
    method,
    target: path,
    headers: [...presented.headers],
    body: undefined,
    isAimed: true,
  }
  const query = method === 'GET' ? [...presented.query, ...fields] : presented.query
  if (query.length > 0) request.target += `?${writeQuery(query)}`
  if (method === 'POST') {
    request.body = Buffer.from(writeJson(fields))
    const isStrange = kind !== 'valid' && dice.chance(0.08)
    const type = isStrange ? dice.pick(MEDIA_TYPES) : 'application/json'
    if (!isStrange || dice.chance(0.8)) request.headers.push(['content-type', type])
  }
  return request
}

/** Makes the body invalid JSON, or too large. */
function corruptBody(request: HostileRequest, dice: Dice) {
  if (request.body === undefined) return
  const text = request.body.toString()
  const spaces = ' '.repeat(dice.pick([16_300, 16_384, 40_000]))
  const body = dice.pick([
    ...brokenBodies(text),
    text.slice(0, dice.between(0, text.length)),
    `${text.slice(0, -1)}${spaces}}`,
  ])
  request.body = Buffer.from(body)
}

function makeOpen(
  route: Route,
  kind: Kind,
  { parent, sessions, reader }: Fixtures,
  dice: Dice,
): HostileRequest {
  const isFrame = route.path.startsWith('/widget/')
  const about: Fields = []
  if (isFrame && dice.chance(0.6)) about.push(['session', dice.pick(Object.values(sessions))])
  if (isFrame && dice.chance(0.6)) about.push(['clientId', reader.clientId])
  if (kind !== 'valid') about.push([dice.pick(['session', 'clientId', 'a']), makeHostile(dice)])
  const sites = kind === 'valid' ? [parent] : [parent, ...TEXTS.filter(isPrintable)]
  const headers: HostileRequest['headers'] = dice.chance(0.5) ? [['referer', dice.pick(sites)]] : []
  if (kind === 'hostile') {
    headers.push([dice.pick(['range', 'if-none-match', 'if-modified-since']), 'bytes=9-1,,-5'])
    headers.push(['accept-encoding', dice.pick(['br', 'gzip;q=0, *', '*;q=x', ',,,', 'identity'])])
  }
  const query = about.length > 0 ? `?${writeQuery(about)}` : ''
  const target = `${route.path}${query}`
  return { route, kind, method: 'GET', target, headers, body: undefined, isAimed: true }
}

/** Sometimes changes the method or the path. A harmless request stays harmless. */
function vary(request: HostileRequest, dice: Dice): HostileRequest {
  if (request.kind === 'valid') return request
  if (dice.chance(0.06)) {
    request.method = dice.pick(METHODS)
    request.isAimed = false
  }
  if (request.kind === 'hostile' && dice.chance(0.08)) {
    const [path = '', query = ''] = request.target.split('?', 2)
    const at = dice.between(1, path.length)
    request.target = `${path.slice(0, at)}${dice.pick(PATH_TRICKS)}${path.slice(at)}?${query}`
    request.isAimed = false
  }
  if (request.kind === 'hostile' && dice.chance(0.1)) {
    request.headers.push([dice.pick(STRANGE_HEADERS), dice.pick(TEXTS.filter(isPrintable))])
  }
  return request
}

const STRANGE_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
  'x-request-id',
  'x-http-method-override',
  'traceparent',
  'user-agent',
  'accept-language',
  'accept-encoding',
  'if-none-match',
  'cookie2',
  '__proto__',
  'constructor',
]
