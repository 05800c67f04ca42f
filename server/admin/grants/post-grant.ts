import type { proposeGrant as endpoint } from '@coffer/contract/admin/grants'
import { formatAmount, toWireNumber } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { isConnectionFailure } from '../../database/connect.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { many, run } from '../../database/statement.ts'
import {
  BONUS_ACCOUNT,
  CORRECTION_ACCOUNT,
  OPERATOR_RELEASE,
  type Decision,
  type LedgerRequest,
} from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { personSubject } from '../record-people.ts'
import { readOperators } from '../read-operators.ts'
import { recordAction } from '../record-action.ts'
import { findApproved, storeDecision, type Grant, type MoneyGrant } from './queries.ts'

export type GrantTools = Pick<Context, 'db' | 'ledger' | 'config'>
export type GrantOutcome = z.input<typeof endpoint.response>
type Recording = Pick<AdminCall, 'record'>

/** Returns the outcome of a grant. A decided one is posted to the ledger, which executes it once and repeats its result. */
export async function showOutcome(
  tools: GrantTools,
  { record }: Recording,
  grant: Grant,
): Promise<GrantOutcome> {
  const { db, config } = tools
  const { status } = grant
  const currency = config.currency.code
  if (status === 'open') {
    const approvers = (await readOperators(db)).approversFor(grant.proposerId)
    return { status, balance: null, currency, approvers }
  }
  if (status === 'rejected' || status === 'withdrawn') {
    return { status, balance: null, currency, approvers: [] }
  }
  // It took effect in the transaction that decided it.
  if (grant.kind === 'credit_limit' || grant.kind === 'app_change') {
    return { status: 'posted', balance: null, currency, approvers: [] }
  }
  const { refusal, balanceAfter } = await postForCaller(tools, { record }, grant)
  if (refusal !== null || balanceAfter === null)
    throw new ServiceError(refusal ?? 'OUTCOME_UNKNOWN')
  const balance = toWireNumber(balanceAfter, config.currency)
  return { status: 'posted', balance, currency, approvers: [] }
}

/** The grant is decided and will be posted eventually, so a failure now must not be reported as "nothing changed". */
async function postForCaller(tools: GrantTools, recording: Recording, grant: MoneyGrant) {
  try {
    return await postGrant(tools, recording, grant)
  } catch (error) {
    const isBusy = error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE'
    if (isBusy || isConnectionFailure(error)) throw new ServiceError('OUTCOME_UNKNOWN')
    throw error
  }
}

/** Safe to repeat, also concurrently: the ledger executes a grant once. */
export async function postGrant(
  { db, ledger, config }: GrantTools,
  { record }: Recording,
  grant: MoneyGrant,
): Promise<Decision> {
  const { id, kind, amount } = grant
  assert(['approved', 'posted', 'refused'].includes(grant.status), 'only a decided grant is posted')
  const { decision, mismatch } = await ledger.post(await toRequest(ledger, grant))
  assert.equal(mismatch.length, 0, 'the reference of a grant was used for something else')
  const { refusal } = decision
  await inTransaction(db, async (tx) => {
    const stored = await run(tx, storeDecision(id, refusal))
    if (stored === 0 || refusal === null) return
    await record(tx, {
      action: 'grant.refuse',
      subject: personSubject(grant.userId),
      before: { status: 'approved' },
      after: {
        grant: id,
        status: 'refused',
        refusal,
        kind,
        amount: formatAmount(amount, config.currency),
      },
    })
  })
  return decision
}

async function toRequest(
  ledger: GrantTools['ledger'],
  { id: referenceId, kind, amount: amountMinor, walletId, hold: target }: MoneyGrant,
): Promise<LedgerRequest> {
  // The reason is for operators, not for the person.
  const common = { referenceId, walletId, description: null }
  if (kind === 'hold_release') {
    const hold = target === null ? undefined : await ledger.holds.find(target)
    assert(hold !== undefined, 'the hold of a grant exists forever')
    // In the scope of the app, whose list shows it. The app cannot know the id of a grant.
    return {
      ...common,
      kind: 'release',
      referenceType: OPERATOR_RELEASE,
      amountMinor: 0n,
      counterAccount: hold.account,
      holdChange: {
        target: hold.digest,
        isAmountOmitted: true,
        isFinal: true,
        isBalanceHidden: true,
      },
    }
  }
  const isBonus = kind === 'bonus'
  return {
    ...common,
    kind,
    referenceType: isBonus ? 'BONUS' : 'CORRECTION',
    amountMinor,
    counterAccount: isBonus ? BONUS_ACCOUNT : CORRECTION_ACCOUNT,
  }
}

const AT_ONCE = 100
const SERVICE = { actor: 'service', actorId: null, address: null }

/** Posts grants that were decided before a crash or while the ledger was unavailable. One failure does not stop the others. */
export async function finishGrants(tools: GrantTools): Promise<void> {
  const grants = await many(tools.db, findApproved(AT_ONCE))
  const record: Recording['record'] = (db, action) => recordAction(db, SERVICE, action)
  const failures: unknown[] = []
  for (const grant of grants) {
    try {
      await postGrant(tools, { record }, grant)
    } catch (error) {
      if (error instanceof ServiceError || isConnectionFailure(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'grants could not be posted')
}
