/**
 * What every client asked and what it was told: each request is written down before it is sent, each answer after it
 * was received. Millions of them fit, because they stand in columns of numbers and equal bodies are kept once.
 */
import { readMeaning, type Meaning } from './read-meaning.ts'
import type { Answer } from './ask.ts'
import { VERBS, type Verb } from './verbs.ts'

export const REFERENCE_TYPES = ['ORDER', 'POISON'] as const
export type ReferenceType = (typeof REFERENCE_TYPES)[number]
export const DIFFERENCES = ['amount', 'serviceUserId', 'direction'] as const

export interface Request {
  app: number
  verb: Verb
  wallet: number
  amountMinor: number
  /** Reads belong to none. */
  pair: number | undefined
}

/** A body without its figures, and what it says about the pair. */
export interface Shape {
  status: number
  text: string
  meaning: Meaning
  code: string
}

export interface JournaledRequest extends Request {
  sentMs: number
  /** Infinity: no answer came. */
  answeredMs: number
  shape: Shape
  /** −1: the answer tells none. */
  balanceMinor: number
  /** Of a history: the newest operation that it shows. */
  seq: number
  isReplayed: boolean
  differs: string[]
}

export interface JournaledPair {
  app: number
  referenceType: ReferenceType
  referenceId: string
  firstSentMs: number
  /** When it was first known to be decided; Infinity: never. */
  firstAnsweredMs: number
}

const NONE = 0xffffffff
const REPLAYED = 1
const SHAPES_MAX = 60_000

function createRequests(capacity: number) {
  return {
    pair: new Uint32Array(capacity),
    app: new Uint8Array(capacity),
    verb: new Uint8Array(capacity),
    wallet: new Uint16Array(capacity),
    amount: new Uint32Array(capacity),
    sentMs: new Float64Array(capacity),
    answeredMs: new Float64Array(capacity),
    shape: new Uint16Array(capacity),
    balance: new Int32Array(capacity),
    seq: new Uint32Array(capacity),
    flags: new Uint8Array(capacity),
    /** The request of the same pair before this one. */
    earlier: new Uint32Array(capacity),
  }
}

function createPairs(capacity: number) {
  return {
    app: new Uint8Array(capacity),
    type: new Uint8Array(capacity),
    number: new Uint32Array(capacity),
    firstSentMs: new Float64Array(capacity),
    firstAnsweredMs: new Float64Array(capacity),
    latest: new Uint32Array(capacity),
  }
}

export class Journal {
  requestCount = 0
  pairCount = 0
  /** Answers that say something for certain. */
  definiteCount = 0
  /** Also told in lines: > what is sent, < what comes back. */
  record: ((line: string) => void) | undefined
  readonly shapes: Shape[] = [{ status: 0, text: '', meaning: 'unknown', code: '' }]
  readonly #shapeIds = new Map<string, number>()
  /** By app, then by the number in the reference; apps use the same numbers, so that only their scope parts them. */
  readonly #named: number[][] = []
  #requests = createRequests(1 << 16)
  #pairs = createPairs(1 << 15)

  openPair(app: number, type: ReferenceType = 'ORDER'): number {
    const pair = this.pairCount++
    if (pair === this.#pairs.app.length) this.#pairs = grow(this.#pairs, createPairs)
    const named = (this.#named[app] ??= [])
    this.#pairs.app[pair] = app
    this.#pairs.type[pair] = REFERENCE_TYPES.indexOf(type)
    this.#pairs.number[pair] = named.length
    this.#pairs.firstSentMs[pair] = Infinity
    this.#pairs.firstAnsweredMs[pair] = Infinity
    this.#pairs.latest[pair] = NONE
    named.push(pair)
    return pair
  }

  /** Returns the request's place in the journal. */
  send(request: Request, atMs = performance.now()): number {
    const at = this.requestCount++
    if (at === this.#requests.app.length) this.#requests = grow(this.#requests, createRequests)
    const { pair = NONE } = request
    this.#requests.pair[at] = pair
    this.#requests.app[at] = request.app
    this.#requests.verb[at] = VERBS.indexOf(request.verb)
    this.#requests.wallet[at] = request.wallet
    this.#requests.amount[at] = request.amountMinor
    this.#requests.sentMs[at] = atMs
    this.#requests.answeredMs[at] = Infinity
    this.#requests.balance[at] = -1
    this.record?.(`> ${at} ${atMs} ${JSON.stringify(request)}`)
    if (pair === NONE) return at
    this.#requests.earlier[at] = this.#pairs.latest[pair] ?? NONE
    this.#pairs.latest[pair] = at
    const isMove = request.verb === 'debit' || request.verb === 'credit'
    if (isMove && atMs < this.firstSentMs(pair)) this.#pairs.firstSentMs[pair] = atMs
    return at
  }

  /** Returns what the answer means for the pair. `seq` is what a history shows as newest. */
  receive(at: number, answer: Answer, seq = 0, atMs = performance.now()): Meaning {
    const verb = VERBS[this.#requests.verb[at] ?? 0] as Verb
    const { shapeText, balanceMinor, meaning, code } = readMeaning(verb, answer)
    this.record?.(`< ${at} ${atMs} ${answer.status} ${meaning} ${code} ${balanceMinor}`)
    const shape = this.#shapeOf(answer.status, shapeText, meaning, code)
    const pair = this.#requests.pair[at] ?? NONE
    this.#requests.answeredMs[at] = atMs
    this.#requests.shape[at] = shape
    this.#requests.balance[at] = balanceMinor
    this.#requests.seq[at] = seq
    this.#requests.flags[at] = flagsOf(answer)
    const isDecided = meaning === 'posted' || meaning === 'refused'
    if (isDecided || meaning === 'read' || meaning === 'undecided') this.definiteCount++
    if (isDecided && pair !== NONE && atMs < this.firstAnsweredMs(pair)) {
      this.#pairs.firstAnsweredMs[pair] = atMs
    }
    return meaning
  }

  firstSentMs(pair: number): number {
    return this.#pairs.firstSentMs[pair] ?? Infinity
  }

  firstAnsweredMs(pair: number): number {
    return this.#pairs.firstAnsweredMs[pair] ?? Infinity
  }

  request(at: number): JournaledRequest {
    const pair = this.#requests.pair[at] ?? NONE
    const flags = this.#requests.flags[at] ?? 0
    return {
      pair: pair === NONE ? undefined : pair,
      app: this.#requests.app[at] ?? 0,
      verb: VERBS[this.#requests.verb[at] ?? 0] as Verb,
      wallet: this.#requests.wallet[at] ?? 0,
      amountMinor: this.#requests.amount[at] ?? 0,
      sentMs: this.#requests.sentMs[at] ?? 0,
      answeredMs: this.#requests.answeredMs[at] ?? 0,
      shape: this.shapes[this.#requests.shape[at] ?? 0] as Shape,
      balanceMinor: this.#requests.balance[at] ?? -1,
      seq: this.#requests.seq[at] ?? 0,
      isReplayed: (flags & REPLAYED) !== 0,
      differs: DIFFERENCES.filter((_, bit) => flags & (2 << bit)),
    }
  }

  pair(pair: number): JournaledPair {
    return {
      app: this.#pairs.app[pair] ?? 0,
      referenceType: REFERENCE_TYPES[this.#pairs.type[pair] ?? 0] as ReferenceType,
      referenceId: `r-${this.#pairs.number[pair]}`,
      firstSentMs: this.firstSentMs(pair),
      firstAnsweredMs: this.firstAnsweredMs(pair),
    }
  }

  findPair(app: number, referenceType: string, referenceId: string): number | undefined {
    const pair = this.#named[app]?.[Number(/^r-(\d+)$/.exec(referenceId)?.[1])]
    return pair !== undefined && this.pair(pair).referenceType === referenceType ? pair : undefined
  }

  /** Every request of a pair, the latest first. */
  *requestsOf(pair: number): Generator<JournaledRequest> {
    for (let at = this.#pairs.latest[pair] ?? NONE; at !== NONE;) {
      yield this.request(at)
      at = this.#requests.earlier[at] ?? NONE
    }
  }

  #shapeOf(status: number, text: string, meaning: Meaning, code: string): number {
    const key = `${meaning} ${status} ${text}`
    const known = this.#shapeIds.get(key)
    if (known !== undefined) return known
    if (this.shapes.length >= SHAPES_MAX) throw new Error(`too many kinds of answers: ${key}`)
    this.shapes.push({ status, text, meaning, code })
    this.#shapeIds.set(key, this.shapes.length - 1)
    return this.shapes.length - 1
  }
}

function flagsOf({ isReplayed, differs }: Answer): number {
  const bits = DIFFERENCES.map((name, bit) => (differs.includes(name) ? 2 << bit : 0))
  return bits.reduce((sum, bit) => sum | bit, isReplayed ? REPLAYED : 0)
}

type Columns = Record<string, Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>

function grow<Table extends Columns>(table: Table, create: (capacity: number) => Table): Table {
  const [first] = Object.values(table)
  const larger = create(2 * (first?.length ?? 0))
  for (const [name, column] of Object.entries(table)) larger[name]?.set(column)
  return larger
}
