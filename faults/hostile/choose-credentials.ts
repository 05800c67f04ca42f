/** The credentials of a request: correct, or wrong in one of the ways that the tests of the contract also use. */
import type { Caller } from '../../server/test/contract-endpoints.ts'
import {
  foreignOrigins,
  malformedSessions,
  wrongCredentials,
  wrongLogins,
} from '../../server/test/requests/wrong-access.ts'
import type { Dice } from '../clients/dice.ts'
import { PUBLIC_URL, type Fixtures } from './create-fixtures.ts'
import type { Kind, HostileRequest } from './hostile-request.ts'
import { isPrintable, type Fields } from './write-request.ts'

export interface Presented {
  fields: Fields
  query: Fields
  headers: [string, string][]
  /** The client app that the credentials belong to. */
  clientId?: string
  /** Changes the request so that it is not accepted. */
  forbid: (request: HostileRequest) => void
}

const SAME: [string, string][] = [['sec-fetch-site', 'same-origin']]

export function chooseCredentials(
  { name, method, caller }: { name: string; method: 'GET' | 'POST'; caller: Caller },
  kind: Kind,
  fixtures: Fixtures,
  dice: Dice,
): Presented {
  const isRight = kind === 'valid' || dice.chance(0.7)
  const { person, owner, viewer } = fixtures.cookies
  const makers: Record<Caller, () => Presented> = {
    app: () => presentClient(isRight, fixtures, dice),
    session: () => presentSession(name, isRight, fixtures, dice),
    page: () => presentOrigin([], method, dice),
    person: () => presentCookie(person, isRight, fixtures, method, dice),
    operator: () => presentCookie(dice.pick([owner, viewer]), isRight, fixtures, method, dice),
  }
  return makers[caller]()
}

function presentClient(isRight: boolean, { writer, reader }: Fixtures, dice: Dice): Presented {
  const [app, other] = dice.shuffle([writer, reader]) as [typeof writer, typeof writer]
  const { clientId, clientSecret } = app
  const wrong = isRight ? {} : dice.pick(wrongCredentials(app, other))
  const given = { clientId, clientSecret, ...wrong }
  const forbid = ({ headers }: HostileRequest) =>
    void headers.push(['origin', 'https://evil.example'])
  const about = { query: [], forbid, clientId }
  if (dice.chance(0.5)) {
    const fields = Object.entries(given).filter(([, value]) => value !== undefined)
    return { ...about, fields, headers: [] }
  }
  const basic = Buffer.from(`${given.clientId}:${given.clientSecret}`)
  const scheme = isRight ? 'Basic' : dice.pick(['Basic', 'basic', 'Bearer', 'Basic\t', ''])
  return {
    ...about,
    fields: [],
    headers: [['authorization', `${scheme} ${basic.toString('base64')}`]],
  }
}

/** Starting a top-up with an active session for an active wallet is left out, because it is a change. */
function presentSession(
  name: string,
  isRight: boolean,
  { sessions }: Fixtures,
  dice: Dice,
): Presented {
  const { live, frozen, expired } = sessions
  const right = name === 'createIntent' ? [frozen, expired] : [live, frozen, expired]
  const unknown = 'ws_00112233-4455-4677-8899-aabbccddeeff'
  const token = isRight
    ? dice.pick(right)
    : dice.pick([unknown, ...malformedSessions(live).flatMap((each) => each ?? [])])
  const query: Fields = [['session', token]]
  if (!isRight && dice.chance(0.3)) query.push(['session', unknown])
  return { fields: [], query, headers: [], forbid: () => undefined }
}

function presentCookie(
  right: string,
  isRight: boolean,
  { sessions }: Fixtures,
  method: 'GET' | 'POST',
  dice: Dice,
): Presented {
  const wrong = isRight ? { cookie: right } : dice.pick(wrongLogins(right, sessions.live))
  const headers = Object.entries(wrong).filter(([, value]) => isPrintable(value))
  const presented = presentOrigin(headers, method, dice)
  const [name] = right.split('=')
  const forbid = (request: HostileRequest) => {
    for (const header of request.headers) {
      if (header[0] === 'cookie') header[1] = `${name}=${'A'.repeat(43)}`
    }
  }
  return { ...presented, forbid }
}

function presentOrigin(headers: [string, string][], method: 'GET' | 'POST', dice: Dice): Presented {
  const foreign = () => Object.entries(dice.pick(foreignOrigins(method, PUBLIC_URL)))
  const origin = dice.chance(0.9) ? SAME : foreign()
  const forbid = (request: HostileRequest) => {
    request.headers = request.headers.filter((header) => header[0] !== 'sec-fetch-site')
    request.headers.push(['sec-fetch-site', 'cross-site'])
  }
  return { fields: [], query: [], headers: [...headers, ...origin], forbid }
}
