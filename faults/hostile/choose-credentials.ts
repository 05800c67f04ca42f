/** Who a caller claims to be: right, wrong, foreign, forged or nobody. */
import type { Dice } from '../clients/dice.ts'
import type { Door, Route } from './list-routes.ts'
import type { Kind, Shot } from './shot.ts'
import type { Credentials, House } from './open-house.ts'
import type { Fields } from './write-request.ts'

export interface Show {
  fields: Fields
  query: Fields
  headers: [string, string][]
  /** Takes away what lets the request through. */
  forbid: (shot: Shot) => void
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

export function chooseCredentials(route: Route, kind: Kind, house: House, dice: Dice): Show {
  const isRight = kind === 'valid' || dice.chance(0.7)
  const { person, owner, viewer } = house.cookies
  const makers: Partial<Record<Door, () => Show>> = {
    server: () => showClient(isRight, house, dice),
    session: () => showSession(route, isRight, house, dice),
    person: () => showCookie('__Host-coffer', isRight ? person : undefined, dice),
    admin: () =>
      showCookie('__Host-coffer-admin', isRight ? dice.pick([owner, viewer]) : undefined, dice),
  }
  return makers[route.door]?.() ?? showOrigin([], dice)
}

function showClient(isRight: boolean, { till, reader }: House, dice: Dice): Show {
  const { clientId, clientSecret }: Credentials = isRight
    ? dice.pick([till, reader])
    : dice.pick([
        UNKNOWN_APP,
        { ...reader, clientSecret: till.clientSecret },
        { ...till, clientSecret: dice.pick(GARBAGE) },
        { clientId: dice.pick(GARBAGE), clientSecret: dice.pick(GARBAGE) },
      ])
  const forbid = ({ headers }: Shot) => void headers.push(['origin', 'https://evil.example'])
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

/** What a live session may do to an active wallet is left out: beginning a top-up is a change. */
function showSession({ name }: Route, isRight: boolean, { sessions }: House, dice: Dice): Show {
  const { live, frozen, expired } = sessions
  const right = name === 'createIntent' ? [frozen, expired] : [live, frozen, expired]
  const unknown = 'ws_00112233-4455-4677-8899-aabbccddeeff'
  const token = isRight ? dice.pick(right) : dice.pick([unknown, ...GARBAGE])
  const query: Fields = [['session', token]]
  if (!isRight && dice.chance(0.3)) query.push(['session', unknown])
  return { fields: [], query, headers: [], forbid: () => undefined }
}

function showCookie(name: string, right: string | undefined, dice: Dice): Show {
  const forged = dice.pick([UNKNOWN_TOKEN, ...GARBAGE.filter((text) => text !== 'Ω')])
  const cookie = right ?? dice.pick([`${name}=${forged}`, `${name}=a; ${name}=b`, forged])
  const show = showOrigin([['cookie', cookie]], dice)
  const forbid = ({ headers }: Shot) => {
    for (const header of headers) {
      if (header[0] === 'cookie') header[1] = `${name}=${UNKNOWN_TOKEN}`
    }
  }
  return { ...show, forbid }
}

function showOrigin(headers: [string, string][], dice: Dice): Show {
  const origin = dice.chance(0.85) ? SAME : dice.pick(FOREIGN)
  const forbid = (shot: Shot) => {
    shot.headers = shot.headers.filter((header) => header[0] !== 'sec-fetch-site')
    shot.headers.push(['sec-fetch-site', 'cross-site'])
  }
  return { fields: [], query: [], headers: [...headers, origin], forbid }
}
