/**
 * Compares the responses that the clients got with the ledger. It has no side effects: it gets the ledger wallet by
 * wallet, in one pass, and reports the violations.
 */
import { digestPair } from '../../server/ledger/digest.ts'
import { hasTarget, isMove, verbOf } from '../clients/verbs.ts'
import { checkHolds } from './check-holds.ts'
import { checkRefunds } from './check-refunds.ts'
import { movedBy, PROCESSOR_ACCOUNT, type Operation } from '../../server/ledger/types.ts'
import { checkResponses } from './check-responses.ts'
import { checkChain } from './check-chain.ts'
import { checkFreezes, checkReads, checkRefusals } from './check-order.ts'
import { Findings } from './findings.ts'
import { Headroom } from './headroom.ts'
import type { Journal } from '../clients/journal.ts'
import { Order, type Moment } from './order.ts'
import { Outcomes } from './outcomes.ts'
import type { AccountBook, Expected, WalletBook, KnownFacts } from './known-facts.ts'

export class Check {
  readonly findings = new Findings()
  readonly outcomes: Outcomes
  operations = 0
  refusals = 0
  readonly #journal: Journal
  readonly #facts: KnownFacts
  readonly #walletIndex: Map<bigint, number>
  readonly #appOfAccount: Map<number, number>
  readonly #pairOfDigest = new Map<string, number>()
  readonly #readsOfWallet: number[][]
  readonly #seenExpected = new Set<string>()
  readonly #sums = new Map<number, bigint>()
  #people = 0n

  constructor(journal: Journal, facts: KnownFacts) {
    this.#journal = journal
    this.#facts = facts
    this.outcomes = new Outcomes(journal.pairCount)
    this.#walletIndex = new Map(facts.wallets.map((id, index) => [id, index]))
    this.#appOfAccount = new Map(facts.apps.map(({ account }, index) => [account, index]))
    this.#readsOfWallet = facts.wallets.map(() => [])
    this.#index()
  }

  /** Reads by wallet, and the digests of pairs that may have been refused: the ledger stores only the digest of those. */
  #index() {
    for (let at = 0; at < this.#journal.requestCount; at++) {
      const { verb, wallet, shape, pair } = this.#journal.request(at)
      if (shape.meaning === 'read') this.#readsOfWallet[wallet]?.push(at)
      if (!isMove(verb) || pair === undefined || shape.meaning === 'posted') continue
      this.#pairOfDigest.set(this.#digestOf(pair), pair)
    }
  }

  #digestOf(pair: number): string {
    const { app, referenceType, referenceId } = this.#journal.pair(pair)
    return digestPair(this.#facts.apps[app]?.account ?? 0, referenceType, referenceId)
  }

  takeWallet(book: WalletBook) {
    const wallet = this.#walletIndex.get(book.walletId)
    if (wallet === undefined) {
      if (book.seq > 0n)
        this.findings.add(4, `wallet ${book.walletId} is not part of the audit, but has operations`)
      return
    }
    checkChain(book, this.#facts.heads, this.findings)
    this.#people += book.balance + book.held - book.debt
    const balances = Float64Array.from(
      [0n, ...book.operations.map((each) => each.balanceAfter)],
      Number,
    )
    const moments = book.operations.map((operation) => this.#takeOperation(operation, wallet))
    const order = new Order(moments)
    for (const { seq, sentMs, respondedMs } of moments) {
      const { least } = order.windowOf(sentMs, respondedMs)
      if (least > seq) {
        this.findings.add(7, `${nameOf(book, seq)} was sent after operation ${least} was confirmed`)
      }
    }
    const context = { book, wallet, balances, order, freezes: this.#facts.freezes }
    this.#takeRefusals(book, wallet)
    checkRefusals(this.#journal, this.outcomes, context, this.#pairOfDigest, this.findings)
    checkRefunds(book, this.#journal, this.#facts.apps, this.#pairOfDigest, this.findings)
    checkHolds(book, this.#journal, this.#facts.apps, this.#pairOfDigest, this.findings)
    checkFreezes(moments, context, this.findings)
    checkReads(this.#journal, this.#readsOfWallet[wallet] ?? [], context, this.findings)
  }

  #takeOperation(operation: Operation, wallet: number): Moment {
    const { counterAccount, kind, referenceType, referenceId } = operation
    const seq = Number(operation.seq)
    this.operations++
    const change = operation.debtChange - operation.amount - operation.heldChange
    this.#sums.set(counterAccount, (this.#sums.get(counterAccount) ?? 0n) + change)
    const verb = verbOf(kind)
    if (verb === undefined) return this.#takeExpected(operation, wallet)
    const app = this.#appOfAccount.get(counterAccount) ?? -1
    const pair = this.#journal.findPair(app, referenceType, referenceId)
    const name = `${kind} ${referenceType} ${referenceId} of app ${app}`
    if (pair === undefined) {
      this.findings.add(4, `${name} was posted, but never requested`)
      return { seq, sentMs: -Infinity, respondedMs: Infinity }
    }
    const amountMinor = Number(movedBy(operation))
    const balanceAfter = Number(operation.balanceAfter)
    const outcome = { wallet, seq, verb, amountMinor, balanceAfter, code: '' }
    if (!this.outcomes.set(pair, outcome)) this.findings.add(2, `${name} was posted twice`)
    const { target } = this.#journal.pair(pair)
    const isAbout = target === undefined ? null : this.#digestOf(target)
    const wasAsked = this.#journal.requestsOf(pair).some(
      (asked) =>
        asked.verb === verb &&
        // A request that names another operation names no user; the operation is on the wallet of that one.
        (hasTarget(verb) ? operation.target === isAbout : asked.wallet === wallet) &&
        (verb === 'release' || asked.amountMinor === amountMinor),
    )
    if (!wasAsked) {
      this.findings.add(
        4,
        `${name} was posted with ${amountMinor} on wallet ${wallet}, which nobody requested`,
      )
    }
    const { firstSentMs, firstRespondedMs } = this.#journal.pair(pair)
    return { seq, sentMs: firstSentMs, respondedMs: firstRespondedMs }
  }

  #takeExpected(operation: Operation, wallet: number): Moment {
    const { kind, amount, debtChange, referenceType, referenceId } = operation
    const key = `${referenceType} ${referenceId}`
    const expected: Expected | undefined = this.#facts.expected.get(key)
    const net = Number(amount - debtChange)
    if (this.#seenExpected.has(key)) this.findings.add(2, `${kind} ${key} was posted twice`)
    this.#seenExpected.add(key)
    if (expected === undefined) this.findings.add(4, `${kind} ${key} was posted without a cause`)
    else if (expected.netMinor !== net || expected.wallet !== wallet) {
      this.findings.add(
        9,
        `${kind} ${key} moved ${net} on wallet ${wallet}, not ${expected.netMinor} on ${expected.wallet}`,
      )
    }
    const { sentMs = -Infinity, respondedMs = Infinity } = expected ?? {}
    return { seq: Number(operation.seq), sentMs, respondedMs }
  }

  #takeRefusals({ walletId, refusals }: WalletBook, wallet: number) {
    for (const { digest, seq, code, kind, amountMinor } of refusals) {
      this.refusals++
      const pair = this.#pairOfDigest.get(digest)
      const verb = verbOf(kind)
      if (pair === undefined || verb === undefined) {
        this.findings.add(4, `wallet ${walletId} has a refused ${kind} that nobody requested`)
        continue
      }
      const outcome = {
        wallet,
        seq: Number(seq),
        verb,
        amountMinor: Number(amountMinor),
        balanceAfter: -1,
        code,
      } as const
      if (this.outcomes.set(pair, outcome)) continue
      const { referenceType, referenceId } = this.#journal.pair(pair)
      this.findings.add(2, `${referenceType} ${referenceId} was posted, and refused with ${code}`)
    }
  }

  finish(accounts: readonly AccountBook[]): Findings {
    checkResponses(this.#journal, this.outcomes, this.findings)
    this.#checkLimits()
    for (const [key, { netMinor }] of this.#facts.expected) {
      if (!this.#seenExpected.has(key))
        this.findings.add(9, `${key} over ${netMinor} was never posted`)
    }
    for (const { account, balance } of accounts) {
      const sum = this.#sums.get(account) ?? 0n
      if (sum !== balance)
        this.findings.add(5, `account ${account} has ${balance}, its operations add up to ${sum}`)
    }
    const processor = -(this.#sums.get(PROCESSOR_ACCOUNT) ?? 0n)
    if (processor !== BigInt(this.#facts.processorMinor)) {
      this.findings.add(
        9,
        `the processor moved ${this.#facts.processorMinor}, the ledger ${processor}`,
      )
    }
    const total = [...this.#sums.values()].reduce((sum, each) => sum + each, this.#people)
    if (total !== 0n) this.findings.add(9, `wallets and accounts add up to ${total}, not to 0`)
    return this.findings
  }

  /** A credit limit is exact, but from outside only lower and upper bounds of the headroom can be calculated. */
  #checkLimits() {
    for (const [app, { creditLimit }] of this.#facts.apps.entries()) {
      if (creditLimit === undefined) continue
      const moves = this.#movesOf(app)
      const headroom = new Headroom(
        creditLimit,
        moves.filter(({ change }) => change !== 0),
      )
      for (const { change, asked, name, sentMs, respondedMs } of moves) {
        const { least, most } = headroom.during(sentMs, respondedMs)
        if (change < 0 && -change > most)
          this.findings.add(8, `${name}: posted, with headroom of at most ${most}`)
        if (change === 0 && asked <= least)
          this.findings.add(8, `${name}: refused, with headroom of at least ${least}`)
      }
    }
  }

  /** Posted debits and credits of an app, and credits refused because of its limit, which change nothing. */
  #movesOf(app: number) {
    const moves = []
    for (let pair = 0; pair < this.#journal.pairCount; pair++) {
      const { app: owner, referenceId, firstSentMs, firstRespondedMs } = this.#journal.pair(pair)
      const outcome = owner === app ? this.outcomes.get(pair) : undefined
      if (outcome === undefined) continue
      if (outcome.code !== '' && outcome.code !== 'CREDIT_LIMIT_EXCEEDED') continue
      // A hold and its release do not change the account of the app.
      if (outcome.verb === 'hold' || outcome.verb === 'release') continue
      const isIncome = outcome.verb === 'debit' || outcome.verb === 'capture'
      const signed = isIncome ? outcome.amountMinor : -outcome.amountMinor
      moves.push({
        change: outcome.code === '' ? signed : 0,
        asked: outcome.amountMinor,
        name: `${outcome.verb} ${referenceId} of app ${app}`,
        sentMs: firstSentMs,
        respondedMs: firstRespondedMs,
      })
    }
    return moves
  }
}

function nameOf({ walletId }: WalletBook, seq: number): string {
  return `wallet ${walletId}, operation ${seq}`
}
