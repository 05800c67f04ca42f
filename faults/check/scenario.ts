/** Builds a small ledger and journal for the tests of the checker: requests, operations and responses, correct or not. */
import { digestPair, GENESIS_HASH, hashOperation } from '../../server/ledger/digest.ts'
import {
  BONUS_ACCOUNT,
  type Kind,
  type Operation,
  PROCESSOR_ACCOUNT,
  type Refusal,
  scopeOf,
} from '../../server/ledger/types.ts'
import type { ServiceResponse } from '../clients/send-request.ts'
import { Check } from './check.ts'
import type { Findings } from './findings.ts'
import { Journal, type ReferenceType } from '../clients/journal.ts'
import type { Verb } from '../clients/verbs.ts'
import type { Expected, Freeze, KnownFacts, RefusedKey, WalletBook } from './known-facts.ts'

export interface Move {
  app: number
  verb: 'debit' | 'credit' | 'refund'
  wallet: number
  amountMinor: number
  /** Of a refund: the pair of its debit. */
  target?: number
}

type OpenBook = WalletBook & { operations: Operation[]; refusals: RefusedKey[] }

const APPS = [
  { account: 1000, creditLimit: undefined },
  { account: 1001, creditLimit: 100 },
]
const WALLETS = [7n, 8n]

export class Scenario {
  readonly journal = new Journal()
  readonly heads: { walletId: bigint; seq: bigint; hash: Buffer }[] = []
  readonly #expected = new Map<string, Expected>()
  readonly #freezes: Freeze[] = []
  readonly #books = WALLETS.map(createBook)
  readonly #latest = new Map<number, number>()
  accountOffset = 0n
  #processorMinor = 0
  #nowMs = 1

  /** One of everything, all of it correct. */
  tellSound() {
    for (const wallet of [0, 1]) this.give(wallet, 100)
    this.move({ app: 0, verb: 'debit', wallet: 1, amountMinor: 40 })
    const pair = this.move({ app: 1, verb: 'credit', wallet: 0, amountMinor: 60 })
    const balance = Number(this.book(0).balance)
    this.repeat(pair, { app: 1, verb: 'debit', wallet: 1, amountMinor: 60 })
    this.respond(pair, 200, balance, { isReplayed: true, differs: 'serviceUserId, direction' })
    this.lookUp(pair, 'posted', balance)
    this.refuse({ app: 0, verb: 'debit', wallet: 1, amountMinor: 61 }, 'INSUFFICIENT_BALANCE')
    this.refuse({ app: 1, verb: 'credit', wallet: 1, amountMinor: 41 }, 'CREDIT_LIMIT_EXCEEDED')
    this.topUp('pi_1', 0, 25)
    this.see(0)
    this.read(0, Number(this.book(0).balance))
    this.read(1, Number(this.book(1).balance), Number(this.book(1).seq))
    this.freeze(1, () =>
      this.refuse({ app: 0, verb: 'debit', wallet: 1, amountMinor: 1 }, 'WALLET_INACTIVE'),
    )
  }

  book(wallet: number): OpenBook {
    return this.#books[wallet] as OpenBook
  }

  send(move: Move, type: ReferenceType = 'ORDER'): number {
    const pair = this.journal.openPair(move.app, type, move.target)
    this.repeat(pair, move)
    return pair
  }

  repeat(pair: number, move: Move) {
    this.#latest.set(pair, this.journal.send({ ...move, pair }, this.#nowMs++))
  }

  /** Responds to the latest request of the pair; without a balance, with the balance of the ledger. */
  respond(pair: number, status: number, balance?: number, more: Partial<ServiceResponse> = {}) {
    const reported = balance ?? Number(this.book(0).balance)
    this.#receive(pair, {
      status,
      text: `{"balance":${reported / 100},"message":"Done."}`,
      ...more,
    })
  }

  respondRefusal(pair: number, code: Refusal) {
    const status = code === 'INSUFFICIENT_BALANCE' || code === 'BALANCE_LIMIT' ? 400 : 403
    this.#receive(pair, { status, text: `{"error":"No.","code":"${code}"}` })
  }

  fail(pair: number, status: number) {
    this.#receive(pair, { status, text: '{"error":"Oh."}' })
  }

  #receive(pair: number, response: { status: number; text: string } & Partial<ServiceResponse>) {
    const at = this.#latest.get(pair) ?? -1
    const whole = { isReplayed: false, differs: '', isOurs: true, ...response }
    this.journal.receive(at, whole, 0, this.#nowMs++)
  }

  /** Requested, executed and confirmed. */
  move(move: Move): number {
    const pair = this.send(move)
    this.respond(pair, 200, this.post(pair, move))
    return pair
  }

  refuse(move: Move, code: Refusal) {
    const pair = this.send(move)
    this.recordRefusal(pair, move, code)
    this.respondRefusal(pair, code)
  }

  lookUp(pair: number, found: 'posted' | 'undecided', balance = 0) {
    const { app } = this.journal.pair(pair)
    this.#send(
      { app, verb: 'lookup', wallet: 0, pair },
      found === 'posted'
        ? { status: 200, text: `{"status":"posted","balance":${balance / 100},"code":null}` }
        : { status: 404, text: '{"code":"OPERATION_NOT_FOUND"}' },
    )
  }

  read(wallet: number, balance: number, seq?: number) {
    const verb = seq === undefined ? 'balance' : 'history'
    const text = `{"balance":${balance / 100},"currency":"USD"}`
    this.#send({ app: 0, verb, wallet, pair: undefined }, { status: 200, text }, seq)
  }

  #send(
    request: { app: number; verb: Verb; wallet: number; pair: number | undefined },
    response: { status: number; text: string },
    seq = 0,
  ) {
    const at = this.journal.send({ ...request, amountMinor: 0 }, this.#nowMs++)
    const whole = { isReplayed: false, differs: '', isOurs: true, ...response }
    this.journal.receive(at, whole, seq, this.#nowMs++)
  }

  /** Returns the balance after the operation. */
  post(pair: number, move: Move): number {
    const { app, referenceType, referenceId } = this.journal.pair(pair)
    return this.postAs(app, referenceType, referenceId, move)
  }

  #digestOf(pair: number): string {
    const { app, referenceType, referenceId } = this.journal.pair(pair)
    return digestPair(APPS[app]?.account ?? 0, referenceType, referenceId)
  }

  postAs(app: number, referenceType: string, referenceId: string, move: Move): number {
    const amount = BigInt(move.verb === 'debit' ? -move.amountMinor : move.amountMinor)
    const counterAccount = APPS[app]?.account ?? 0
    return this.#append(move.wallet, {
      kind: move.verb,
      amount,
      counterAccount,
      referenceType,
      referenceId,
      target: move.target === undefined ? null : this.#digestOf(move.target),
    })
  }

  postService(
    kind: Kind,
    referenceType: string,
    referenceId: string,
    wallet: number,
    amountMinor: number,
  ) {
    const counterAccount = kind === 'topup' ? PROCESSOR_ACCOUNT : BONUS_ACCOUNT
    this.#append(wallet, {
      kind,
      amount: BigInt(amountMinor),
      counterAccount,
      referenceType,
      referenceId,
      target: null,
    })
  }

  #append(
    wallet: number,
    entry: Pick<
      Operation,
      'kind' | 'amount' | 'counterAccount' | 'referenceType' | 'referenceId' | 'target'
    >,
  ) {
    const book = this.book(wallet)
    const operation = {
      ...entry,
      walletId: book.walletId,
      seq: book.seq + 1n,
      balanceAfter: book.balance + entry.amount,
      debtChange: 0n,
      debtAfter: 0n,
      heldChange: 0n,
      heldAfter: 0n,
      description: null,
      createdAtMs: this.#nowMs,
    }
    const digest = digestPair(scopeOf(operation), entry.referenceType, entry.referenceId)
    const hash = hashOperation(book.headHash, operation, digest)
    book.operations.push({ ...operation, hash })
    book.balance = operation.balanceAfter
    book.seq = operation.seq
    book.headHash = hash
    return Number(operation.balanceAfter)
  }

  recordRefusal(pair: number | undefined, move: Move, code: Refusal = 'INSUFFICIENT_BALANCE') {
    const named = pair === undefined ? undefined : this.journal.pair(pair)
    const account = APPS[move.app]?.account ?? 0
    const digest = digestPair(account, named?.referenceType ?? '', named?.referenceId ?? '')
    const { refusals, seq } = this.book(move.wallet)
    refusals.push({ digest, seq, code, kind: move.verb, amountMinor: BigInt(move.amountMinor) })
  }

  give(wallet: number, amountMinor: number) {
    const expected = { wallet, netMinor: amountMinor, sentMs: 0, respondedMs: 0 }
    this.#expected.set(`BONUS b-${wallet}`, expected)
    this.postService('bonus', 'BONUS', `b-${wallet}`, wallet, amountMinor)
  }

  pay(intentId: string, wallet: number, amountMinor: number) {
    const expected = { wallet, netMinor: amountMinor, sentMs: this.#nowMs++, respondedMs: Infinity }
    this.#expected.set(`TOPUP ${intentId}`, expected)
    this.#processorMinor += amountMinor
  }

  topUp(intentId: string, wallet: number, amountMinor: number) {
    this.pay(intentId, wallet, amountMinor)
    this.postService('topup', 'TOPUP', intentId, wallet, amountMinor)
  }

  freeze(wallet: number, meanwhile: () => void) {
    const fromMs = this.#nowMs++
    const surelyFromMs = this.#nowMs++
    meanwhile()
    const surelyToMs = this.#nowMs++
    this.#freezes.push({ wallet, fromMs, surelyFromMs, surelyToMs, toMs: this.#nowMs++ })
  }

  see(wallet: number) {
    const { walletId, seq, headHash } = this.book(wallet)
    this.heads.push({ walletId, seq, hash: headHash })
  }

  facts(): KnownFacts {
    return {
      apps: APPS,
      wallets: WALLETS,
      expected: this.#expected,
      processorMinor: this.#processorMinor,
      heads: this.heads,
      freezes: this.#freezes,
    }
  }

  check(): Findings {
    const check = new Check(this.journal, this.facts())
    for (const book of this.#books) check.takeWallet(book)
    const own = this.#books.flatMap(({ operations }) => operations)
    const balance = own
      .filter(({ counterAccount }) => counterAccount === APPS[1]?.account)
      .reduce((sum, { amount }) => sum - amount, this.accountOffset)
    return check.finish([{ account: APPS[1]?.account ?? 0, balance }])
  }
}

function createBook(walletId: bigint): OpenBook {
  const headHash = GENESIS_HASH
  return {
    walletId,
    balance: 0n,
    debt: 0n,
    held: 0n,
    seq: 0n,
    headHash,
    operations: [],
    refusals: [],
  }
}
