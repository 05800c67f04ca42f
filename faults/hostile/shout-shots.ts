/** Over real sockets, against a real process: the same requests, and those that only bytes can be. */
import { Dice } from '../clients/dice.ts'
import { makeTrick, toBytes, type Trick } from './bend-bytes.ts'
import { codeOf, type Attack } from './inject-shots.ts'
import type { Answer } from './judge-answer.ts'
import { addFault, countAnswer, describeShot } from './keep-score.ts'
import { makeShot } from './make-shot.ts'
import type { Shot } from './shot.ts'
import { readAnswer } from './read-answers.ts'
import { Line, shout } from './speak-raw.ts'

const LANES = 12
const TRICKS = 0.3
const PIPELINED = 3
/** Node answers some of what is no request by itself, without a body. */
const BARE = new Set([400, 417])

export async function shoutShots(port: number, attack: Attack): Promise<void> {
  const lane = async () => {
    const line = new Line(port)
    for (let at = attack.next(); at !== undefined; at = attack.next()) {
      const name = `socket ${at}`
      const dice = new Dice(attack.seed, `way ${name}`)
      if (dice.chance(TRICKS)) await playTrick(port, attack, dice, name)
      else await askOne(line, attack, name)
    }
    line.close()
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

async function askOne(line: Line, attack: Attack, name: string) {
  const { house, seed, score } = attack
  const shot = makeShot(house, seed, name)
  const answer = await line.ask({ bytes: toBytes(shot), method: shot.method })
  const example = `${name}: ${describeShot(shot)}`
  score.requests.sockets++
  score.kinds[shot.kind] = (score.kinds[shot.kind] ?? 0) + 1
  if (answer === undefined || answer === 'broken') {
    addFault(score, answer ? 'bytes that are no HTTP' : 'no answer', example)
    return
  }
  judgeOne(attack, shot, answer, shot.route.name, example)
}

function judgeOne(attack: Attack, shot: Shot, answer: Answer, name: string, example: string) {
  const { score, judge } = attack
  countAnswer(score, name, `${answer.status}${codeOf(answer)}`)
  const isBare = BARE.has(answer.status) && answer.text === ''
  if (isBare && answer.headers['connection'] === 'close') return
  for (const fault of judge(shot, answer)) addFault(score, fault, example)
}

async function playTrick(port: number, attack: Attack, dice: Dice, name: string) {
  const { house, seed, score } = attack
  const shots = Array.from({ length: PIPELINED }, (_, nth) =>
    makeShot(house, seed, `${name} ${nth}`),
  ).filter(({ method }) => method !== 'HEAD')
  const trick = makeTrick(shots, dice)
  const received = await shout(port, trick.pieces, trick.isOpenEnded)
  score.requests.sockets++
  score.kinds['raw bytes'] = (score.kinds['raw bytes'] ?? 0) + 1
  const sent = Buffer.concat(trick.pieces).toString('latin1')
  judgeTrick(attack, trick, received, `${name}: ${trick.name} ${JSON.stringify(sent)}`)
}

function judgeTrick(attack: Attack, trick: Trick, received: Buffer, example: string) {
  const { score } = attack
  const route = {
    name: trick.name,
    method: 'GET',
    path: '',
    // What operators may see may be seen if one of them is among those who ask.
    door: example.includes('/api/admin/') ? 'admin' : 'open',
    endpoint: undefined,
  } as const
  const shot: Shot = {
    route,
    kind: 'hostile',
    method: 'GET',
    target: '',
    headers: [],
    body: undefined,
    isAimed: false,
  }
  const answers: Answer[] = []
  for (let at = 0; at < received.length;) {
    const piece = readAnswer(received, at, { method: 'GET', isOver: true })
    if (piece === undefined || piece === 'broken') {
      addFault(score, 'bytes that are no HTTP', example)
      break
    }
    answers.push(piece.answer)
    at = piece.end
  }
  for (const answer of answers) judgeOne(attack, shot, answer, `raw: ${trick.name}`, example)
  if (answers.length === 0) countAnswer(score, `raw: ${trick.name}`, 'ended')
  const isRefused = answers.length <= 1 && answers.every(({ status }) => status >= 400)
  if (trick.isFatal && !isRefused) {
    const statuses = answers.map(({ status }) => status).join()
    addFault(score, `the connection went on after ${trick.name}: ${statuses}`, example)
  }
}
