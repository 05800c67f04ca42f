/** Turns what a plan intends into a request, for the state in which it runs. */
import type { AmountChoice, Intent, Plan } from './commands.ts'
import { leftOf, takesUser, type Model } from './model.ts'
import {
  BALANCE_MAX,
  keyOf,
  referenceOf,
  type App,
  type Decision,
  type Reference,
  type Request,
  type Type,
  type Wallet,
} from './state.ts'
import { balanceNow } from './views.ts'

const SMALL = 7
const SIBLINGS: Partial<Record<Type, Type>> = {
  debit: 'credit',
  credit: 'debit',
  capture: 'release',
  release: 'capture',
}

export class RequestMaker {
  readonly #plan: Plan
  readonly #numbers = [0, 0]

  constructor(plan: Plan) {
    this.#plan = plan
  }

  /** `sent`: earlier operations of the same batch, newest first, which can be named even if they were not executed. */
  make(model: Model, app: App, given: Intent, sent: readonly Request[] = []): Request {
    const intent = this.#focus(given)
    const decided = [...app.decisions.values()].filter(({ request }) => request).toReversed()
    const earlier =
      intent.again === null ? undefined : decided[intent.again % Math.max(1, decided.length)]
    if (earlier?.request && intent.repeats === 'same') return earlier.request
    if (earlier?.request && intent.repeats === 'changed')
      return change(model, earlier.app, earlier.request, intent)
    const reference = earlier ? referenceOf(earlier) : this.#newReference(app)
    const type = toType(intent, decided)
    const { description, metadata } = intent
    const takesMetadata = type !== 'capture' && type !== 'release'
    const about = {
      type,
      ...reference,
      ...(description !== undefined && { description }),
      ...(takesMetadata && metadata !== undefined && { metadata }),
    }
    if (takesUser(type)) return { ...about, ...this.#makeFields(model, app, type, intent) }
    return { ...about, ...this.#makeTargetFields(model, app, type, intent, [decided, sent]) }
  }

  #focus(intent: Intent): Intent {
    const { types, isOneWallet } = this.#plan.focus
    const other = types[intent.target % types.length] ?? intent.type
    const type = types.includes(intent.type) ? intent.type : other
    return { ...intent, type, wallet: isOneWallet ? 0 : intent.wallet }
  }

  #newReference({ index }: App): Reference {
    const number = (this.#numbers[index] = (this.#numbers[index] ?? 0) + 1)
    return { referenceType: `T${number % 2}`, referenceId: `r${number >> 1}` }
  }

  #makeFields(model: Model, app: App, type: Type, intent: Intent): Partial<Request> {
    const [chosen, other] = [model.wallet(intent.wallet), model.wallet(1 - intent.wallet)]
    // Most of what is sent for a user without a link would only be refused.
    const isUseless = intent.user === 'live' && !model.liveLink(app, chosen) && intent.target !== 1
    const wallet = isUseless ? other : chosen
    const { seconds, user, amount } = intent
    return {
      serviceUserId: toUser(model, app, wallet, user),
      amount: this.#toAmount(model, app, type, amount, wallet) ?? '0.05',
      ...(type === 'hold' && seconds !== undefined && { expiresInSeconds: seconds }),
    }
  }

  #makeTargetFields(
    model: Model,
    app: App,
    type: Type,
    intent: Intent,
    [decided, sent]: [readonly Decision[], readonly Request[]],
  ): Partial<Request> {
    const target = toTarget(type, intent, decided, sent)
    const known = app.decisions.get(keyOf(target))
    const left = known?.request ? leftOf(type, known) : 0
    const wallet = known?.wallet ?? model.wallet(0)
    const amount =
      type === 'release' ? undefined : this.#toAmount(model, app, type, intent.amount, wallet, left)
    const { isFinal } = intent
    return {
      ...(type === 'refund' ? { debit: target } : { hold: target }),
      ...(amount !== undefined && { amount }),
      ...(type === 'capture' && isFinal !== undefined && { isFinal }),
    }
  }

  #toAmount(
    model: Model,
    app: App,
    type: Type,
    choice: AmountChoice,
    wallet: Wallet,
    left = 0,
  ): string | undefined {
    if (choice.of === 'none') return undefined
    if (choice.of === 'text') return choice.text
    if (choice.of === 'small') return toText(left > 0 ? 1 + (choice.value % left) : choice.value)
    const base = left > 0 ? left : this.#edgeOf(model, app, type, choice, wallet)
    return toText(Math.max(1, base + choice.plus))
  }

  #edgeOf(
    model: Model,
    app: App,
    type: Type,
    { of, plus }: Extract<AmountChoice, { plus: number }>,
    wallet: Wallet,
  ): number {
    const balance = balanceNow(model, wallet)
    const limit = model.limitLeft(app, wallet) ?? balance
    if (this.#plan.isRich && of !== 'limit') return BALANCE_MAX - wallet.balance - wallet.held
    // Nothing is left of no target. A plan that always takes the whole balance tests little else.
    if (of === 'left' && type !== 'credit') return SMALL
    if (of === 'limit' || (wallet.limits.has(app) && plus !== 0)) return limit
    return type === 'credit' ? (model.creditLeft(app) ?? balance) : balance
  }
}

/** Without anything to refund or capture, it is made. */
function toType({ type, targetOf }: Intent, decided: readonly Decision[]): Type {
  if (takesUser(type) || targetOf === 'any' || targetOf === 'none') return type
  if (decided.some((each) => isTarget(type, each))) return type
  return type === 'refund' ? 'debit' : 'hold'
}

function isTarget(type: Type, { type: of }: { type: Type }): boolean {
  return type === 'refund' ? of === 'debit' || of === 'capture' : of === 'hold'
}

function toTarget(
  type: Type,
  { target, targetOf }: Intent,
  decided: readonly Decision[],
  sent: readonly Request[],
): Reference {
  const fitting = decided.filter((each) => isTarget(type, each))
  const open = fitting.filter((each) => leftOf(type, each) > 0)
  const choices: Record<Intent['targetOf'], readonly Reference[]> = {
    none: [],
    any: [...sent, ...decided],
    fitting,
    open: open.length > 0 ? open : fitting,
  }
  const found = choices[targetOf][target % Math.max(1, choices[targetOf].length)]
  return found ? referenceOf(found) : { referenceType: 'T0', referenceId: 'none' }
}

function toUser(model: Model, app: App, wallet: Wallet, user: Intent['user']): string {
  const links = model.links.filter((each) => each.wallet === wallet)
  const own = links.filter((each) => each.app === app)
  const found = {
    live: own.find(({ isLive }) => isLive) ?? own[0],
    ended: own.find(({ isLive }) => !isLive) ?? own[0],
    foreign: links.find((each) => each.app !== app) ?? own[0],
    unknown: undefined,
  }[user]
  return found?.serviceUserId ?? `su_${'0'.repeat(32)}`
}

/** The same request with one other value. */
function change(model: Model, app: App, request: Request, intent: Intent): Request {
  const changes = listChanges(model, app, request, intent)
  const { amount, target } = intent
  const chosen = (target + (amount.of === 'small' ? amount.value : 0)) % (changes.length + 1)
  const changed = changes[chosen]
  if (changed) return { ...request, ...changed }
  const { type } = request
  if (type === 'capture') {
    const { amount: _amount, isFinal: _isFinal, ...rest } = request
    return { ...rest, type: 'release' }
  }
  return { ...request, type: SIBLINGS[type] ?? type }
}

function listChanges(
  model: Model,
  app: App,
  { type, amount, serviceUserId, debit, hold, isFinal = true }: Request,
  intent: Intent,
): Partial<Request>[] {
  const others = [...app.decisions.values()].filter((each) => isTarget(type, each))
  const other = others[intent.target]
  const changes: Partial<Request>[] = [{ description: 'Other' }]
  if (amount !== undefined)
    changes.push({ amount: toText(1 + Math.round(Number(amount) * 100) || 1) })
  if (serviceUserId !== undefined)
    changes.push({ serviceUserId: toUser(model, app, model.wallet(intent.wallet), 'live') })
  if (type === 'capture') changes.push({ isFinal: !isFinal }, { isFinal: intent.isFinal ?? true })
  else if (type !== 'release') changes.push({ metadata: { other: '1' } })
  if (type === 'hold') changes.push({ expiresInSeconds: intent.seconds ?? 120 })
  if (debit && other) changes.push({ debit: referenceOf(other) })
  if (hold && other) changes.push({ hold: referenceOf(other) })
  return changes
}

function toText(minor: number): string {
  return (minor / 100).toFixed(2)
}
