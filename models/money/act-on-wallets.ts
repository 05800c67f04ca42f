/** What people and operators do with wallets, and what the service posts itself. */
import * as account from '@coffer/contract/account/account'
import { setSpendLimit } from '@coffer/contract/account/spend-limit'
import { proposeGrant } from '@coffer/contract/admin/grants'
import { freezeWallet } from '@coffer/contract/admin/people'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ErrorCode } from '@coffer/contract/errors'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { deleteAccount } from '../../server/account/delete-account.ts'
import * as identity from '../../server/identity/link.ts'
import { ServiceError } from '../../server/service-error.ts'
import { PASSWORD } from '../../server/test/sign-in.ts'
import { TIME_ZONES, type CommandFields, type LimitChoice } from './commands.ts'
import { readJson } from './compare-wallets.ts'
import { refuse } from './responses.ts'
import type { Run } from './run.ts'
import { dayText, type LimitTerms } from './spend-limit.ts'
import { BALANCE_MAX, toMajor, type OwnKind, type Wallet } from './state.ts'

const DAY_MS = 86_400_000
const COUNTER_ACCOUNTS: Record<OwnKind, number> = {
  topup: 1,
  card_refund: 1,
  seizure: 1,
  reversal: 1,
  bonus: 2,
  correction_in: 3,
  correction_out: 3,
}

/** Bonuses and corrections go through the API of operators. Card payments have a model of their own. */
export async function postOwn(run: Run, { wallet: at, kind, amount }: CommandFields['post own']) {
  const wallet = run.model.wallet(at)
  if (wallet.isClosed) return
  if (kind === 'bonus' || kind === 'correction_in' || kind === 'correction_out')
    return grant(run, wallet, kind, amount)
  const possible = kind === 'card_refund' ? Math.min(amount, wallet.balance) : amount
  const isFull = kind !== 'seizure' && wallet.balance + wallet.held + possible > BALANCE_MAX
  if (possible > 0 && !isFull) await postOnLedger(run, wallet, kind, possible)
}

export async function postOnLedger(run: Run, wallet: Wallet, kind: OwnKind, minor: number) {
  run.note(`${kind} of ${minor} on wallet ${wallet.index}`)
  const reference = { referenceType: kind.toUpperCase(), referenceId: randomUUID() }
  const { decision } = await run.setup.harness.context.ledger.post({
    ...reference,
    kind,
    walletId: run.personOf(wallet).walletId,
    amountMinor: BigInt(minor),
    counterAccount: COUNTER_ACCOUNTS[kind],
    description: null,
  })
  const expected = run.model.postOwn(wallet, kind, minor, reference)
  assert.equal(decision.refusal ?? Number(decision.balanceAfter), expected, kind)
}

async function grant(
  run: Run,
  wallet: Wallet,
  kind: 'bonus' | 'correction_in' | 'correction_out',
  minor: number,
) {
  const id = randomUUID()
  const reason = 'Paid twice'
  const personId = String(run.personOf(wallet).id)
  const fields = { id, personId, kind, reason, amount: (minor / 100).toFixed(2) }
  const response = await run.askAsOperator(proposeGrant, fields)
  const referenceType = kind === 'bonus' ? 'BONUS' : 'CORRECTION'
  const reference = { referenceType, referenceId: id }
  const outcome = run.model.postOwn(wallet, kind, minor, reference, reason)
  compareGrant(run, proposeGrant, response, outcome)
}

/** `outcome`: why it was refused, or the balance after it. */
export function compareGrant(
  run: Run,
  endpoint: Endpoint,
  response: LightMyRequestResponse,
  outcome: ErrorCode | number,
) {
  const isPosted = typeof outcome === 'number'
  const posted = { status: 'posted', currency: 'USD', approvers: [] }
  const expected = isPosted
    ? { status: 200, body: { ...posted, balance: toMajor(outcome) } }
    : refuse(endpoint, outcome)
  run.hit(`grant ${isPosted ? 'posted' : outcome}`)
  run.note(`${endpoint.summary} → ${JSON.stringify(expected)}`)
  run.compare(response, expected, endpoint.summary)
}

export async function freeze(run: Run, { wallet: at, isFrozen }: CommandFields['freeze']) {
  const wallet = run.model.wallet(at)
  if (wallet.isClosed) return
  run.note(`${isFrozen ? 'freeze' : 'unfreeze'} wallet ${at}`)
  const fields = { id: String(run.personOf(wallet).id), isFrozen, reason: 'A reason' }
  readJson(await run.askAsOperator(freezeWallet, fields))
  run.model.setActive(wallet, !isFrozen)
}

export async function link(run: Run, { app: appAt, wallet: at }: CommandFields['link']) {
  const { model, setup } = run
  const [app, wallet] = [model.app(appAt), model.wallet(at)]
  if (wallet.isClosed) return
  const { context } = setup.harness
  const id = await identity.link(context.db, run.appOf(app).id, run.personOf(wallet).id)
  run.note(`link ${app.name} to wallet ${at} as ${id}`)
  const known = model.liveLink(app, wallet)
  const isKnown = model.links.some(({ serviceUserId }) => serviceUserId === id)
  if (known) assert.equal(id, known.serviceUserId, 'another id for the same link')
  else assert(!isKnown, 'an id is used twice')
  model.link(app, wallet, id)
}

export async function unlink(run: Run, { app: appAt, wallet: at }: CommandFields['unlink']) {
  const [app, wallet] = [run.model.app(appAt), run.model.wallet(at)]
  if (wallet.isClosed) return
  run.note(`unlink ${app.name} from wallet ${at}`)
  readJson(await run.askAsPerson(wallet, account.unlinkApp, { clientId: app.clientId }))
  run.model.unlink(app, wallet)
}

export async function setLimit(
  run: Run,
  { app: appAt, wallet: at, limit }: CommandFields['limit'],
) {
  const { model } = run
  const [app, wallet] = [model.app(appAt), model.wallet(at)]
  if (wallet.isClosed) return
  const terms = toTerms(limit, wallet.limits.get(app)?.terms, model.nowMs)
  const { lastDay, timeZone, ...maxes } = terms
  const amounts = Object.entries(maxes).map(([name, max]) => [name, (max / 100).toFixed(2)])
  const fields = {
    ...(Object.fromEntries(amounts) as Record<string, string>),
    ...(limit.isConfirmed && { password: PASSWORD }),
    clientId: app.clientId,
    lastDay,
    timeZone,
  }
  run.note(`limit of wallet ${at}: ${JSON.stringify(fields)}`)
  const response = await run.askAsPerson(wallet, setSpendLimit, fields)
  if (model.liveLink(app, wallet) === undefined) {
    run.hit('limit INVALID_REQUEST')
    return assert.equal(response.statusCode, 400, response.body)
  }
  const isEmpty = amounts.length === 0 && lastDay === undefined
  const isDone = model.setLimit(app, wallet, isEmpty ? undefined : terms, limit.isConfirmed)
  run.hit(`limit ${isDone ? 'set' : 'CONFIRMATION_REQUIRED'}`)
  const refusal = refuse(setSpendLimit, 'CONFIRMATION_REQUIRED')
  run.compare(response, isDone ? { status: 200, body: {} } : refusal, 'limit')
}

function toTerms(
  { changes, maxes, lastDay, zone }: LimitChoice,
  known: LimitTerms | undefined,
  nowMs: number,
): LimitTerms {
  const [singleMax, dayMax, weekMax, monthMax] = maxes
  const days = { none: undefined, past: -1, today: 0, 'next week': 7 }[lastDay]
  const all = {
    singleMax,
    dayMax,
    weekMax,
    monthMax,
    lastDay: days === undefined ? undefined : dayText(nowMs + days * DAY_MS),
    timeZone: TIME_ZONES[zone] ?? 'UTC',
  }
  const chosen = known && changes !== 'all' ? { ...known, [changes]: all[changes] } : all
  const given = Object.entries(chosen).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as unknown as LimitTerms
}

/** A person can delete the account only if nothing is left. */
export async function close(run: Run, { wallet: at }: CommandFields['close']) {
  const wallet = run.model.wallet(at)
  if (wallet.isClosed) return
  if (wallet.held === 0 && wallet.debt === 0 && wallet.balance > 0)
    await postOnLedger(run, wallet, 'correction_out', wallet.balance)
  const isEmpty = wallet.balance === 0 && wallet.held === 0 && wallet.debt === 0
  run.note(`close wallet ${at}`)
  run.hit(isEmpty ? 'close' : 'close ACCOUNT_NOT_EMPTY')
  const { id: userId, walletId } = run.personOf(wallet)
  const { context } = run.setup.harness
  const failure = await deleteAccount(context, { userId, walletId }).catch(
    (error: unknown) => error,
  )
  if (isEmpty) {
    assert.equal(failure, undefined)
    run.model.close(wallet)
  } else assert(failure instanceof ServiceError && failure.code === 'ACCOUNT_NOT_EMPTY')
}
