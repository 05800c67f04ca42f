/**
 * All requests of the clients and their responses. Each request is recorded before it is sent, each response after it
 * has arrived. Millions fit into memory, because they are columns of numbers and equal bodies are stored once.
 */
import { classifyResponse, type Meaning } from './classify-response.ts'
import type { ServiceResponse } from './send-request.ts'
import { isMove, VERBS, type Verb } from './verbs.ts'

export const REFERENCE_TYPES = ['ORDER', 'FAILING'] as const
export type ReferenceType = (typeof REFERENCE_TYPES)[number]
export const DIFFERENCES = ['amount', 'serviceUserId', 'direction', 'debit', 'hold'] as const

export interface Request {
  app: number
  verb: Verb
  wallet: number
  amountMinor: number
  /** Reads have no pair. */
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
  /** Infinity: there was no response. */
  respondedMs: number
  shape: Shape
  /** −1: the response contains no balance. */
  balanceMinor: number
  /** 0: the response contains no transaction id. */
  transaction: number
  /** For a history: the newest operation that it shows. For a refund: how much of the debit is left. */
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
  firstRespondedMs: number
  /** Of a refund: the pair of the debit. Of a capture or release: the pair of the hold. */
  target: number | undefined
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
    respondedMs: new Float64Array(capacity),
    shape: new Uint16Array(capacity),
    balance: new Int32Array(capacity),
    transaction: new Uint32Array(capacity),
    seq: new Uint32Array(capacity),
    flags: new Uint8Array(capacity),
    /** The previous request of the same pair. */
    earlier: new Uint32Array(capacity),
  }
}

function createPairs(capacity: number) {
  return {
    app: new Uint8Array(capacity),
    type: new Uint8Array(capacity),
    number: new Uint32Array(capacity),
    firstSentMs: new Float64Array(capacity),
    firstRespondedMs: new Float64Array(capacity),
    latest: new Uint32Array(capacity),
    target: new Uint32Array(capacity),
  }
}

export class Journal {
  requestCount = 0
  pairCount = 0
  /** Number of definite responses. */
  definiteCount = 0
  /** Also writes lines: > for a request, < for a response. */
  record: ((line: string) => void) | undefined
  readonly shapes: Shape[] = [{ status: 0, text: '', meaning: 'unknown', code: '' }]
  readonly #shapeIds = new Map<string, number>()
  /** By app, then by the number in the reference; apps use the same numbers, so only their scope distinguishes them. */
  readonly #named: number[][] = []
  #requests = createRequests(1 << 16)
  #pairs = createPairs(1 << 15)

  openPair(app: number, type: ReferenceType = 'ORDER', target = NONE): number {
    const pair = this.pairCount++
    if (pair === this.#pairs.app.length) this.#pairs = grow(this.#pairs, createPairs)
    const named = (this.#named[app] ??= [])
    this.#pairs.app[pair] = app
    this.#pairs.type[pair] = REFERENCE_TYPES.indexOf(type)
    this.#pairs.number[pair] = named.length
    this.#pairs.firstSentMs[pair] = Infinity
    this.#pairs.firstRespondedMs[pair] = Infinity
    this.#pairs.latest[pair] = NONE
    this.#pairs.target[pair] = target
    named.push(pair)
    return pair
  }

  /** Returns the index of the request in the journal. */
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
    this.#requests.respondedMs[at] = Infinity
    this.#requests.balance[at] = -1
    this.record?.(`> ${at} ${atMs} ${JSON.stringify(request)}`)
    if (pair === NONE) return at
    this.#requests.earlier[at] = this.#pairs.latest[pair] ?? NONE
    this.#pairs.latest[pair] = at
    if (isMove(request.verb) && atMs < this.firstSentMs(pair)) this.#pairs.firstSentMs[pair] = atMs
    return at
  }

  /** Returns what the response means for the pair. `seq` is the newest operation in a history. */
  receive(at: number, response: ServiceResponse, seq = 0, atMs = performance.now()): Meaning {
    const verb = VERBS[this.#requests.verb[at] ?? 0] as Verb
    const { shapeText, balanceMinor, refundableMinor, transaction, meaning, code } =
      classifyResponse(verb, response)
    this.record?.(`< ${at} ${atMs} ${response.status} ${meaning} ${code} ${balanceMinor}`)
    const shape = this.#shapeOf(response.status, shapeText, meaning, code)
    const pair = this.#requests.pair[at] ?? NONE
    this.#requests.respondedMs[at] = atMs
    this.#requests.shape[at] = shape
    this.#requests.balance[at] = balanceMinor
    this.#requests.transaction[at] = transaction
    this.#requests.seq[at] = verb === 'refund' ? Math.max(0, refundableMinor) : seq
    this.#requests.flags[at] = flagsOf(response)
    const isDecided = meaning === 'posted' || meaning === 'refused'
    if (isDecided || meaning === 'read' || meaning === 'undecided') this.definiteCount++
    if (isDecided && pair !== NONE && atMs < this.firstRespondedMs(pair)) {
      this.#pairs.firstRespondedMs[pair] = atMs
    }
    return meaning
  }

  firstSentMs(pair: number): number {
    return this.#pairs.firstSentMs[pair] ?? Infinity
  }

  firstRespondedMs(pair: number): number {
    return this.#pairs.firstRespondedMs[pair] ?? Infinity
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
      respondedMs: this.#requests.respondedMs[at] ?? 0,
      shape: this.shapes[this.#requests.shape[at] ?? 0] as Shape,
      balanceMinor: this.#requests.balance[at] ?? -1,
      transaction: this.#requests.transaction[at] ?? 0,
      seq: this.#requests.seq[at] ?? 0,
      isReplayed: (flags & REPLAYED) !== 0,
      differs: DIFFERENCES.filter((_, bit) => flags & (2 << bit)),
    }
  }

  pair(pair: number): JournaledPair {
    const target = this.#pairs.target[pair] ?? NONE
    return {
      target: target === NONE ? undefined : target,
      app: this.#pairs.app[pair] ?? 0,
      referenceType: REFERENCE_TYPES[this.#pairs.type[pair] ?? 0] as ReferenceType,
      referenceId: `r-${this.#pairs.number[pair]}`,
      firstSentMs: this.firstSentMs(pair),
      firstRespondedMs: this.firstRespondedMs(pair),
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
    if (this.shapes.length >= SHAPES_MAX) throw new Error(`too many kinds of responses: ${key}`)
    this.shapes.push({ status, text, meaning, code })
    this.#shapeIds.set(key, this.shapes.length - 1)
    return this.shapes.length - 1
  }
}

function flagsOf({ isReplayed, differs }: ServiceResponse): number {
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
