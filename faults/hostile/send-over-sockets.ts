/** Over real sockets, to a real process: the same requests, and malformed ones that only raw bytes can express. */
import { Dice } from '../clients/dice.ts'
import { makeMalformed, toBytes, type MalformedRequest } from './malformed-requests.ts'
import { codeOf, type Attack } from './inject-requests.ts'
import type { ServiceResponse } from './judge-response.ts'
import { addFault, countResponse, describeRequest } from './count-results.ts'
import type { HostileRequest } from './hostile-request.ts'
import { makeRequest } from './make-request.ts'
import { readResponse } from './read-responses.ts'
import { RawConnection, sendBytes } from './send-raw.ts'

const LANES = 12
const MALFORMED_SHARE = 0.3
const PIPELINED = 3
/** Node itself responds to some malformed requests, without a body. */
const BARE = new Set([400, 417])

export async function sendOverSockets(port: number, attack: Attack): Promise<void> {
  const lane = async () => {
    const connection = new RawConnection(port)
    for (let at = attack.next(); at !== undefined; at = attack.next()) {
      const name = `socket ${at}`
      const dice = new Dice(attack.seed, `way ${name}`)
      if (dice.chance(MALFORMED_SHARE)) await sendMalformed(port, attack, dice, name)
      else await sendOne(connection, attack, name)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function sendOne(connection: RawConnection, attack: Attack, name: string) {
  const { fixtures, seed, counts } = attack
  const request = makeRequest(fixtures, seed, name)
  const response = await connection.send({ bytes: toBytes(request), method: request.method })
  const example = `${name}: ${describeRequest(request)}`
  counts.requests.sockets++
  counts.kinds[request.kind] = (counts.kinds[request.kind] ?? 0) + 1
  if (response === undefined || response === 'broken') {
    addFault(counts, response ? 'bytes that are not HTTP' : 'no response', example)
    return
  }
  judgeOne(attack, request, response, request.route.name, example)
}

function judgeOne(
  attack: Attack,
  request: HostileRequest,
  response: ServiceResponse,
  name: string,
  example: string,
) {
  const { counts, judge } = attack
  countResponse(counts, name, `${response.status}${codeOf(response)}`)
  const isBare = BARE.has(response.status) && response.text === ''
  if (isBare && response.headers['connection'] === 'close') return
  for (const fault of judge(request, response)) addFault(counts, fault, example)
}

async function sendMalformed(port: number, attack: Attack, dice: Dice, name: string) {
  const { fixtures, seed, counts } = attack
  const requests = Array.from({ length: PIPELINED }, (_, nth) =>
    makeRequest(fixtures, seed, `${name} ${nth}`),
  ).filter(({ method }) => method !== 'HEAD')
  const malformed = makeMalformed(requests, dice)
  const received = await sendBytes(port, malformed.pieces, malformed.isOpenEnded)
  counts.requests.sockets++
  counts.kinds['raw bytes'] = (counts.kinds['raw bytes'] ?? 0) + 1
  const sent = Buffer.concat(malformed.pieces).toString('latin1')
  judgeMalformed(attack, malformed, received, `${name}: ${malformed.name} ${JSON.stringify(sent)}`)
}

function judgeMalformed(
  attack: Attack,
  malformed: MalformedRequest,
  received: Buffer,
  example: string,
) {
  const { counts } = attack
  const route = {
    name: malformed.name,
    method: 'GET',
    path: '',
    // If one of the requests is for the admin area, the response may contain data for operators.
    caller: example.includes('/api/admin/') ? 'operator' : 'open',
    endpoint: undefined,
  } as const
  const request: HostileRequest = {
    route,
    kind: 'hostile',
    method: 'GET',
    target: example.includes('/docs/') ? '/docs/' : '',
    headers: [],
    body: undefined,
    isAimed: false,
  }
  const responses: ServiceResponse[] = []
  for (let at = 0; at < received.length;) {
    const piece = readResponse(received, at, { method: 'GET', isOver: true })
    if (piece === undefined || piece === 'broken') {
      // The end of the connection also ends the response to an earlier request, such as a large file.
      if (malformed.name !== 'cut short') addFault(counts, 'bytes that are not HTTP', example)
      break
    }
    responses.push(piece.response)
    at = piece.end
  }
  for (const response of responses)
    judgeOne(attack, request, response, `raw: ${malformed.name}`, example)
  if (responses.length === 0) countResponse(counts, `raw: ${malformed.name}`, 'ended')
  const isRefused = responses.length <= 1 && responses.every(({ status }) => status >= 400)
  if (malformed.isFatal && !isRefused) {
    const statuses = responses.map(({ status }) => status).join()
    addFault(counts, `the connection stayed open after ${malformed.name}: ${statuses}`, example)
  }
}
