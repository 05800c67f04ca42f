/** Names what an answer has to do with earlier operations, so that a run can require that each of these happened. */
import type { Model } from './model.ts'
import { advance } from './spend-limit.ts'
import { keyOf, type Answer, type App, type Decision, type Request } from './state.ts'

const DAY_MS = 86_400_000
/** Periods of several days. */
const LONG_PERIODS = [
  ['week', 'weekMax'],
  ['month', 'monthMax'],
] as const

type Names = (string | false | undefined)[]

/** After the model has executed the request. */
export function describePairs(model: Model, app: App, request: Request, answer: Answer): string[] {
  const decision = app.decisions.get(keyOf(request))
  if (decision === undefined) return []
  const { type } = request
  const isLinked = model.liveLink(app, decision.wallet) !== undefined
  const names: Names = answer.replayed
    ? [
        !isLinked && 'repeat after the link ended',
        decision.type !== type && `${type} with the reference of a ${decision.type}`,
        request.serviceUserId !== undefined &&
          decision.type === type &&
          answer.mismatch?.includes('serviceUserId') &&
          `${type} with the reference of another wallet`,
      ]
    : decision.refusal
      ? describeRefused(model, decision)
      : [...describePosted(decision, isLinked), ...describeLimited(model, decision)]
  return names.filter((name) => name !== false && name !== undefined)
}

function describeRefused(model: Model, decision: Decision): Names {
  const { type, target, refusal, app, wallet } = decision
  return [
    target !== undefined && target.refusal !== null && `${type} of a refused ${target.type}`,
    refusal === 'HOLD_EXPIRED' && `${type} after expiry`,
    refusal === 'HOLD_CLOSED' &&
      changesOf(app, target).some((each) => each.request === undefined) &&
      `${type} after an operator released the hold`,
    refusal === 'SPEND_LIMIT_EXCEEDED' &&
      decision.amount <= wallet.balance &&
      (model.limitLeft(app, wallet) ?? 0) > 0 &&
      `${type} of more than is left of a limit`,
    refusal === 'CREDIT_LIMIT_EXCEEDED' && app.owed > 0 && `${type} of more than the app is owed`,
    ...describeUsedUp(model, decision),
  ]
}

/** What earlier days took counts until the period ends. */
function describeUsedUp(model: Model, { refusal, app, wallet, amount }: Decision): Names {
  const limit = wallet.limits.get(app)
  if (limit === undefined || refusal !== 'SPEND_LIMIT_EXCEEDED') return []
  const periods = advance(limit, model.nowMs)
  return LONG_PERIODS.map(([unit, name]) => {
    const spent = model.spent(app, wallet, unit)
    const left = (limit.terms[name] ?? Infinity) - spent
    const isOfEarlierDays = amount > left && model.spent(app, wallet, 'day') < spent
    const isLastDay = periods[unit].untilMs - model.nowMs < DAY_MS
    return isOfEarlierDays && isLastDay && `${unit} of a limit used up on its last day`
  })
}

function describePosted(decision: Decision, isLinked: boolean): Names {
  const { type, target, wallet, entry } = decision
  const earlier = changesOf(decision.app, target).filter(({ id }) => id < decision.id)
  const hasEarlier = (other: string) => earlier.some((each) => each.type === other)
  const before = wallet.entries.at(-2)
  return [
    target && !isLinked && `${type} after the link ended`,
    target && !wallet.isActive && `${type} on a frozen wallet`,
    entry !== undefined && entry.debtChange < 0 && `${type} pays debt`,
    before?.kind === 'expiry' && before.atMs === decision.atMs && `${type} books an expiry first`,
    type === 'refund' &&
      hasEarlier('refund') &&
      `refund of a ${target?.type ?? ''} after an earlier refund`,
    type === 'capture' && hasEarlier('capture') && 'capture after an earlier capture',
    type === 'release' && hasEarlier('capture') && 'release after a capture',
    type === 'capture' && decision.released > 0 && 'capture that releases the rest',
    type === 'capture' && !decision.isFinal && decision.left > 0 && 'capture that keeps the rest',
  ]
}

/** A limit gives back in the period in which the money was taken, and counts from zero in the next one. */
function describeLimited(model: Model, { type, app, wallet, target, atMs }: Decision): Names {
  const limit = wallet.limits.get(app)
  if (limit === undefined) return []
  const { dayMax, timeZone } = limit.terms
  const origin = target?.target ?? target
  const startMs = limit.periods.day.untilMs
  const isNextDay = dayMax !== undefined && atMs >= startMs
  const isTaking = type === 'debit' || type === 'hold'
  const isInNext = ([unit, name]: (typeof LONG_PERIODS)[number]) =>
    limit.terms[name] !== undefined && atMs >= limit.periods[unit].untilMs
  return [
    isTaking && isNextDay && `${type} in the next day of a limit`,
    ...LONG_PERIODS.map((each) => isTaking && isInNext(each) && `${each[0]} of a limit begins`),
    isTaking && timeZone !== 'UTC' && `${type} with a local limit`,
    origin !== undefined && origin.atMs < startMs && isNextDay && `${type} of an earlier day`,
    origin !== undefined && !isNextDay && model.nowMs < startMs && `${type} gives back to a limit`,
  ]
}

/** What was refunded of a debit, or changed a hold. */
function changesOf({ decisions }: App, target: Decision | undefined): Decision[] {
  if (target === undefined) return []
  return [...decisions.values()].filter((each) => each.target === target && !each.refusal)
}
