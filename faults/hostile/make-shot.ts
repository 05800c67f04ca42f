/** One request, from the seed and its number: valid, nearly valid or hostile. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { Dice } from '../clients/dice.ts'
import { chooseCredentials, type Show } from './choose-credentials.ts'
import { PATH_TRICKS, TEXTS } from './hostile-values.ts'
import { listEndpoints, listOpenRoutes, WEBHOOK, type Route } from './list-routes.ts'
import { makeHonest, makeHostile, makeNearly, type Schema } from './make-values.ts'
import { makeWebhook } from './make-webhook.ts'
import type { House } from './open-house.ts'
import type { Kind, Shot } from './shot.ts'
import { wouldWrite } from './spare-state.ts'
import { writeJson, writeQuery, type Fields } from './write-request.ts'

const ENDPOINTS = listEndpoints()
const OPEN = listOpenRoutes()
const METHODS = ['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH']
const MEDIA_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=',
  'application/json;;;',
  'application/jsonx',
  'application/vnd.api+json',
  'APPLICATION/JSON',
  'application/json, text/plain',
  '/',
  'a'.repeat(500),
]

export function makeShot(house: House, seed: number, name: string): Shot {
  const dice = new Dice(seed, name)
  const route = pickRoute(dice)
  const kind = dice.pick<Kind>(['valid', 'nearly valid', 'nearly valid', 'hostile', 'hostile'])
  if (route.door === 'open') return bend(makeOpen(route, kind, house, dice), dice)
  if (route.door === 'webhook') return bend(makeWebhook(route, kind, house, dice), dice)
  return bend(makeCall(route as Route & { endpoint: Endpoint }, kind, house, dice), dice)
}

function pickRoute(dice: Dice): Route {
  const throwIt = dice.next()
  if (throwIt < 0.86) return dice.pick(ENDPOINTS)
  return throwIt < 0.96 ? dice.pick(OPEN) : WEBHOOK
}

function makeCall(
  route: Route & { endpoint: Endpoint },
  kind: Kind,
  house: House,
  dice: Dice,
): Shot {
  const show = chooseCredentials(route, kind, house, dice)
  const schema = route.endpoint.input as unknown as Schema
  const made = makeHonest(schema, dice) as Record<string, unknown>
  const fields: Fields = [...show.fields, ...Object.entries(made)]
  nameKnown(fields, route, house, dice)
  if (kind !== 'valid') spoil(fields, Object.keys(route.endpoint.input.shape), kind, dice)
  const shot = compose(route, kind, fields, show, dice)
  if (kind === 'hostile' && dice.chance(0.15)) spoilBody(shot, dice)
  if (wouldWrite(route, shot.body?.toString(), house)) show.forbid(shot)
  return shot
}

/** Every other time it is about somebody who is there; a change of theirs is then forbidden. */
function nameKnown(fields: Fields, { door }: Route, { reader }: House, dice: Dice) {
  if (dice.chance(0.5)) return
  for (const field of fields) {
    if (field[0] === 'serviceUserId') field[1] = reader.serviceUserId
    if (field[0] === 'clientId' && door !== 'server') field[1] = reader.clientId
  }
}

/** One field, or a few; `names` are those that the endpoint knows, whether they are there or not. */
function spoil(fields: Fields, names: readonly string[], kind: Kind, dice: Dice) {
  const times = kind === 'hostile' ? dice.between(1, 3) : 1
  const make = kind === 'hostile' ? makeHostile : makeNearly
  for (let time = 0; time < times; time++) {
    const known = [...names, ...fields.map(([name]) => name)]
    const name = known.length === 0 || dice.chance(0.12) ? dice.pick(TEXTS) : dice.pick(known)
    const at = fields.findIndex((field) => field[0] === name)
    const action = dice.next()
    if (at < 0 || action < 0.12) fields.push([name, make(dice)])
    else if (action < 0.24) fields.splice(at, 1)
    else fields[at] = [name, make(dice)]
  }
}

function compose(route: Route, kind: Kind, fields: Fields, show: Show, dice: Dice): Shot {
  const { method, path } = route
  const shot: Shot = {
    route,
    kind,
    method,
    target: path,
    headers: [...show.headers],
    body: undefined,
    isAimed: true,
  }
  const query = method === 'GET' ? [...show.query, ...fields] : show.query
  if (query.length > 0) shot.target += `?${writeQuery(query)}`
  if (method === 'POST') {
    shot.body = Buffer.from(writeJson(fields))
    const isStrange = kind !== 'valid' && dice.chance(0.08)
    const type = isStrange ? dice.pick(MEDIA_TYPES) : 'application/json'
    if (!isStrange || dice.chance(0.8)) shot.headers.push(['content-type', type])
  }
  return shot
}

/** Not JSON, or more of it than anybody needs. */
function spoilBody(shot: Shot, dice: Dice) {
  if (shot.body === undefined) return
  const text = shot.body.toString()
  shot.body = dice.pick([
    () => Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0xc0, 0xaf])]),
    () => Buffer.from(text.slice(0, dice.between(0, text.length))),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(`${text}${text}`),
    () => Buffer.from(`[${text}]`),
    () => Buffer.from(`${text.slice(0, -1)},"__proto__":{"isActive":true}}`),
    () => Buffer.from(`${text.slice(0, -1)}${' '.repeat(dice.pick([16_300, 16_384, 40_000]))}}`),
    () => Buffer.alloc(0),
    () => Buffer.from(dice.pick(['null', '1', '"a"', '[]', 'true', '{"a":'.repeat(3000)])),
  ])()
}

function makeOpen(route: Route, kind: Kind, { parent, sessions, reader }: House, dice: Dice): Shot {
  const isFrame = route.path.startsWith('/widget/')
  const about: Fields = []
  if (isFrame && dice.chance(0.6)) about.push(['session', dice.pick(Object.values(sessions))])
  if (isFrame && dice.chance(0.6)) about.push(['clientId', reader.clientId])
  if (kind !== 'valid') about.push([dice.pick(['session', 'clientId', 'a']), makeHostile(dice)])
  const sites = kind === 'valid' ? [parent] : [parent, ...TEXTS.filter(isPrintable)]
  const headers: Shot['headers'] = dice.chance(0.5) ? [['referer', dice.pick(sites)]] : []
  if (kind === 'hostile') {
    headers.push([dice.pick(['range', 'if-none-match', 'if-modified-since']), 'bytes=9-1,,-5'])
    headers.push(['accept-encoding', dice.pick(['br', 'gzip;q=0, *', '*;q=x', ',,,', 'identity'])])
  }
  const query = about.length > 0 ? `?${writeQuery(about)}` : ''
  const target = `${route.path}${query}`
  return { route, kind, method: 'GET', target, headers, body: undefined, isAimed: true }
}

/** Another method or another address, now and then. What would have been harmless stays so. */
function bend(shot: Shot, dice: Dice): Shot {
  if (shot.kind === 'valid') return shot
  if (dice.chance(0.06)) {
    shot.method = dice.pick(METHODS)
    shot.isAimed = false
  }
  if (shot.kind === 'hostile' && dice.chance(0.08)) {
    const [path = '', query = ''] = shot.target.split('?', 2)
    const at = dice.between(1, path.length)
    shot.target = `${path.slice(0, at)}${dice.pick(PATH_TRICKS)}${path.slice(at)}?${query}`
    shot.isAimed = false
  }
  if (shot.kind === 'hostile' && dice.chance(0.1)) {
    shot.headers.push([dice.pick(STRANGE_HEADERS), dice.pick(TEXTS.filter(isPrintable))])
  }
  return shot
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

/** What can stand in a header at all; the rest is tried with raw bytes. */
function isPrintable(text: string): boolean {
  return text.length < 3_000 && /^[\x20-\x7e]+$/.test(text)
}
