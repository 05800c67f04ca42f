/** The credentials of a request: correct, wrong, of another app, forged or none. */
import type { Dice } from '../clients/dice.ts'
import type { AuthKind, Route } from './list-routes.ts'
import type { Kind, HostileRequest } from './hostile-request.ts'
import type { Credentials, Fixtures } from './create-fixtures.ts'
import type { Fields } from './write-request.ts'

export interface Presented {
  fields: Fields
  query: Fields
  headers: [string, string][]
  /** Changes the request so that it is not accepted. */
  forbid: (request: HostileRequest) => void
}

const UNKNOWN_APP = { clientId: 'app_00112233445566778899aabb', clientSecret: 'coffer_sk_none' }
const UNKNOWN_TOKEN = 'A'.repeat(43)
const GARBAGE = ['', 'x', 'a:b:c', 'Ω', '%00', 'null', '"', `' or 1=1`, 'A'.repeat(5000), '=;=;,']
const SAME = ['sec-fetch-site', 'same-origin'] as [string, string]
const FOREIGN: [string, string][] = [
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'none'],
  ['sec-fetch-site', ''],
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['origin', 'https://wallet.example.evil.example'],
  ['x-nothing', 'no origin at all'],
]

export function chooseCredentials(
  route: Route,
  kind: Kind,
  fixtures: Fixtures,
  dice: Dice,
): Presented {
  const isRight = kind === 'valid' || dice.chance(0.7)
  const { person, owner, viewer } = fixtures.cookies
  const makers: Partial<Record<AuthKind, () => Presented>> = {
    server: () => presentClient(isRight, fixtures, dice),
    session: () => presentSession(route, isRight, fixtures, dice),
    person: () => presentCookie('__Host-coffer', isRight ? person : undefined, dice),
    admin: () =>
      presentCookie('__Host-coffer-admin', isRight ? dice.pick([owner, viewer]) : undefined, dice),
  }
  return makers[route.auth]?.() ?? presentOrigin([], dice)
}

function presentClient(isRight: boolean, { writer, reader }: Fixtures, dice: Dice): Presented {
  const { clientId, clientSecret }: Credentials = isRight
    ? dice.pick([writer, reader])
    : dice.pick([
        UNKNOWN_APP,
        { ...reader, clientSecret: writer.clientSecret },
        { ...writer, clientSecret: dice.pick(GARBAGE) },
        { clientId: dice.pick(GARBAGE), clientSecret: dice.pick(GARBAGE) },
      ])
  const forbid = ({ headers }: HostileRequest) =>
    void headers.push(['origin', 'https://evil.example'])
  const way = dice.next()
  if (way < 0.5) {
    const fields: Fields = [
      ['clientId', clientId],
      ['clientSecret', clientSecret],
    ]
    return { fields, query: [], headers: [], forbid }
  }
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const scheme = isRight ? 'Basic' : dice.pick(['Basic', 'basic', 'Bearer', 'Basic\t', ''])
  return { fields: [], query: [], headers: [['authorization', `${scheme} ${basic}`]], forbid }
}

/** Starting a top-up with an active session for an active wallet is left out, because it is a change. */
function presentSession(
  { name }: Route,
  isRight: boolean,
  { sessions }: Fixtures,
  dice: Dice,
): Presented {
  const { live, frozen, expired } = sessions
  const right = name === 'createIntent' ? [frozen, expired] : [live, frozen, expired]
  const unknown = 'ws_00112233-4455-4677-8899-aabbccddeeff'
  const token = isRight ? dice.pick(right) : dice.pick([unknown, ...GARBAGE])
  const query: Fields = [['session', token]]
  if (!isRight && dice.chance(0.3)) query.push(['session', unknown])
  return { fields: [], query, headers: [], forbid: () => undefined }
}

function presentCookie(name: string, right: string | undefined, dice: Dice): Presented {
  const forged = dice.pick([UNKNOWN_TOKEN, ...GARBAGE.filter((text) => text !== 'Ω')])
  const cookie = right ?? dice.pick([`${name}=${forged}`, `${name}=a; ${name}=b`, forged])
  const presented = presentOrigin([['cookie', cookie]], dice)
  const forbid = ({ headers }: HostileRequest) => {
    for (const header of headers) {
      if (header[0] === 'cookie') header[1] = `${name}=${UNKNOWN_TOKEN}`
    }
  }
  return { ...presented, forbid }
}

function presentOrigin(headers: [string, string][], dice: Dice): Presented {
  const origin = dice.chance(0.85) ? SAME : dice.pick(FOREIGN)
  const forbid = (request: HostileRequest) => {
    request.headers = request.headers.filter((header) => header[0] !== 'sec-fetch-site')
    request.headers.push(['sec-fetch-site', 'cross-site'])
  }
  return { fields: [], query: [], headers: [...headers, origin], forbid }
}
