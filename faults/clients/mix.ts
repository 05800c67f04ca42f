/**
 * The behaviour of the clients: mostly debits and credits of a few hot wallets with little money, and everything that a
 * caller may do that does not know an outcome: repeat, repeat with changes, repeat in parallel, look up, read.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Meaning } from './classify-response.ts'
import type { Dice } from './dice.ts'
import { LIMITED_APP } from '../setup/create-accounts.ts'
import { topUp } from './pay.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import { hasTarget } from './verbs.ts'
import { lookUp, move, moveTogether, readBalance, readHistory, type Move } from './call-service.ts'

const HOT_WALLETS = 4
const HOT_SHARE = 0.6
const RECENT = 2_048
const BATCH_MAX = 30

/** Debits request more money than credits add, so that balances stay low and some debits are refused. */
const DEBIT_MAX = 900
const CREDIT_MAX = 1_100

export class Mix {
  readonly #setup: Setup
  readonly #recent: Move[] = []
  readonly #unknown: Move[] = []
  /** Debits and captures that were posted. */
  readonly #paid: Move[] = []
  /** Holds that were posted, most of which are still open. */
  readonly #held: Move[] = []
  isOver = false

  constructor(setup: Setup) {
    this.#setup = setup
  }

  /** A client that runs until the load ends. */
  async run(dice: Dice): Promise<void> {
    let refusals = 0
    while (!this.isOver) {
      const isHelped = await this.#act(dice)
      refusals = isHelped ? 0 : refusals + 1
      if (!isHelped) await backOff(dice, refusals)
    }
  }

  /** A client with its own wallet: it continues while other clients wait for a wallet that another session has locked. */
  async runWithOwnWallet(dice: Dice, wallet: number): Promise<void> {
    let refusals = 0
    while (!this.isOver) {
      const isRead = dice.chance(0.2)
      const isHelped = isRead
        ? (await readBalance(this.#setup, 0, wallet, false)) !== 'unknown'
        : await this.#send({ ...this.#draw(dice, dice.between(0, LIMITED_APP - 1)), wallet }, dice)
      refusals = isHelped ? 0 : refusals + 1
      if (!isHelped) await backOff(dice, refusals)
    }
  }

  async runPayer(dice: Dice): Promise<void> {
    while (!this.isOver) {
      await topUp(this.#setup, dice)
      await sleep(dice.between(200, 1_000))
    }
  }

  /** Returns false if the service was not available. */
  async #act(dice: Dice): Promise<boolean> {
    const share = dice.next()
    if (share < 0.62) return this.#send(this.#draw(dice), dice)
    if (share < 0.74) return this.#repeat(dice)
    if (share < 0.78) return this.#repeatDifferently(dice)
    if (share < 0.79) return this.#sendAtOnce(dice)
    if (share < 0.8) return this.#sendTogether(dice)
    if (share < 0.81) return this.#sendWithTarget(dice)
    if (share < 0.86) return this.#refund(dice)
    if (share < 0.93) return this.#hold(dice)
    return this.#read(dice)
  }

  #draw(dice: Dice, app = dice.between(0, LIMITED_APP)): Move {
    const { journal, wallets } = this.#setup
    const isHot = dice.chance(HOT_SHARE)
    const wallet = dice.between(0, (isHot ? HOT_WALLETS : wallets.length) - 1)
    // The app with a limit credits more than it debits, so that it reaches its limit.
    const verb = dice.chance(app === LIMITED_APP ? 0.45 : 0.63) ? 'debit' : 'credit'
    const amountMinor = dice.between(1, verb === 'debit' ? DEBIT_MAX : CREDIT_MAX)
    return { app, verb, wallet, amountMinor, pair: journal.openPair(app) }
  }

  async #send(request: Move, dice: Dice): Promise<boolean> {
    this.#remember(request, dice)
    // A few clients have a short timeout and send the request again while the first one is still running.
    const meaning = await move(this.#setup, request, dice.chance(0.02) ? 30 : undefined)
    return this.#isKnown(request, meaning)
  }

  #isKnown(request: Move, meaning: Meaning | undefined): boolean {
    const isUnknown = meaning === 'unknown' || meaning === 'failed'
    if (isUnknown) this.#unknown.push(request)
    if (meaning === 'posted' && this.#isExecuted(request)) {
      const { verb } = request
      const list = verb === 'hold' ? this.#held : this.#paid
      const isTarget = verb === 'debit' || verb === 'hold' || verb === 'capture'
      if (isTarget && list.length < RECENT) list.push(request)
    }
    return !isUnknown
  }

  /** A reference may have been decided for another request, whose response lists what differs. */
  #isExecuted({ verb, pair, wallet, amountMinor }: Move): boolean {
    return this.#setup.journal
      .requestsOf(pair)
      .some(
        (sent) =>
          sent.verb === verb &&
          sent.wallet === wallet &&
          sent.amountMinor === amountMinor &&
          sent.shape.meaning === 'posted' &&
          sent.differs.length === 0,
      )
  }

  /** Returns part of a debit, now and then more than is left of it. A debit is refunded several times. */
  async #refund(dice: Dice): Promise<boolean> {
    if (this.#paid.length === 0) return true
    const at = dice.between(0, this.#paid.length - 1)
    const debit = this.#paid[at] as Move
    if (dice.chance(0.3)) this.#paid.splice(at, 1)
    const { app, wallet, pair: target } = debit
    const pair = this.#setup.journal.openPair(app, 'ORDER', target)
    const amountMinor = dice.between(1, Math.ceil(debit.amountMinor * 0.7))
    return this.#send({ app, wallet, verb: 'refund', amountMinor, pair }, dice)
  }

  /** Places a hold, or captures or releases one, now and then more than is left or after its end. */
  async #hold(dice: Dice): Promise<boolean> {
    if (this.#held.length === 0 || dice.chance(0.4)) {
      const drawn = this.#draw(dice)
      return this.#send({ ...drawn, verb: 'hold' }, dice)
    }
    const at = dice.between(0, this.#held.length - 1)
    const hold = this.#held[at] as Move
    const isRelease = dice.chance(0.3)
    if (isRelease || dice.chance(0.3)) this.#held.splice(at, 1)
    const { app, wallet, pair: target } = hold
    const pair = this.#setup.journal.openPair(app, 'ORDER', target)
    // A release has no amount.
    const amountMinor = isRelease ? 0 : dice.between(1, Math.ceil(hold.amountMinor * 0.7))
    const verb = isRelease ? 'release' : 'capture'
    return this.#send({ app, wallet, verb, amountMinor, pair }, dice)
  }

  /** New and repeated operations of one app, in one request. */
  async #sendTogether(dice: Dice): Promise<boolean> {
    const { app } = this.#recall(dice) ?? { app: 0 }
    const requests = Array.from({ length: dice.between(1, BATCH_MAX) }, () => {
      const known = dice.chance(0.5) ? this.#recall(dice) : undefined
      return known?.app === app ? known : this.#draw(dice, app)
    })
    for (const request of requests) this.#remember(request, dice)
    const meanings = await moveTogether(this.#setup, requests)
    const known = requests.filter((request, index) => this.#isKnown(request, meanings[index]))
    return known.length > 0
  }

  /** A debit and its refund, or a hold and its capture, in one request, and the second one alone at the same time. */
  async #sendWithTarget(dice: Dice): Promise<boolean> {
    const isHold = dice.chance(0.5)
    const first: Move = { ...this.#draw(dice), verb: isHold ? 'hold' : 'debit' }
    const pair = this.#setup.journal.openPair(first.app, 'ORDER', first.pair)
    const amountMinor = dice.between(1, first.amountMinor)
    const second: Move = { ...first, verb: isHold ? 'capture' : 'refund', amountMinor, pair }
    for (const each of [first, second]) this.#remember(each, dice)
    const waitMs = dice.between(0, 20)
    const [meanings] = await Promise.all([
      moveTogether(this.#setup, [first, second]),
      sleep(waitMs).then(() => this.#send(second, dice)),
    ])
    return this.#isKnown(first, meanings[0]) && this.#isKnown(second, meanings[1])
  }

  #remember(request: Move, dice: Dice) {
    if (this.#recent.length < RECENT) this.#recent.push(request)
    else this.#recent[dice.between(0, RECENT - 1)] = request
  }

  /** Half of the repeats are of requests whose outcome is unknown, if there are any. */
  async #repeat(dice: Dice): Promise<boolean> {
    const request = (dice.chance(0.5) ? this.#takeUnknown(dice) : undefined) ?? this.#recall(dice)
    return request === undefined || this.#send(request, dice)
  }

  #recall(dice: Dice): Move | undefined {
    return this.#recent.length > 0 ? dice.pick(this.#recent) : undefined
  }

  #takeUnknown(dice: Dice): Move | undefined {
    while (this.#unknown.length > 0) {
      const [request] = this.#unknown.splice(dice.between(0, this.#unknown.length - 1), 1)
      if (request && this.#setup.journal.firstRespondedMs(request.pair) === Infinity) return request
    }
    return undefined
  }

  /** A different amount, a different user, or a credit with a debit's pair. */
  async #repeatDifferently(dice: Dice): Promise<boolean> {
    const request = this.#recall(dice)
    if (request === undefined || request.verb === 'release') return true
    // What names another operation names no user, and a reference has one type.
    const changes = request.verb === 'hold' ? ['amount', 'wallet'] : ['amount', 'wallet', 'verb']
    const change = hasTarget(request.verb) ? 'amount' : dice.pick(changes)
    const other = { ...request }
    if (change === 'amount') other.amountMinor = dice.between(1, DEBIT_MAX)
    if (change === 'wallet') other.wallet = dice.between(0, this.#setup.wallets.length - 1)
    if (change === 'verb') other.verb = request.verb === 'debit' ? 'credit' : 'debit'
    return (await move(this.#setup, other)) !== 'unknown'
  }

  async #sendAtOnce(dice: Dice): Promise<boolean> {
    const request = this.#draw(dice)
    const count = dice.between(2, 20)
    const sent = await Promise.all(Array.from({ length: count }, () => this.#send(request, dice)))
    return sent.every(Boolean)
  }

  async #read(dice: Dice): Promise<boolean> {
    const app = dice.between(0, LIMITED_APP)
    const wallet = dice.between(0, HOT_WALLETS - 1)
    const inAddress = dice.chance(0.5)
    const what = dice.next()
    const known = this.#recall(dice)
    if (what < 0.2 && known !== undefined) {
      return (await lookUp(this.#setup, known.pair, inAddress)) !== 'unknown'
    }
    const read = what < 0.6 ? readBalance : readHistory
    return (await read(this.#setup, app, wallet, inAddress)) !== 'unknown'
  }
}

/** Waits after a refusal that says to retry later, and waits longer after each further refusal. */
function backOff(dice: Dice, refusals: number): Promise<void> {
  return sleep(dice.between(50, 250) * 2 ** Math.min(refusals - 1, 3))
}
