import type { proposeGrant as endpoint } from '@coffer/contract/admin/grants'
import { formatAmount, toWireNumber } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { isConnectionFailure } from '../../database/connect.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { BONUS_ACCOUNT, CORRECTION_ACCOUNT, type Decision } from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { findApproved, setSettled, type GrantRow, type MoneyGrantRow } from './queries.ts'
import { readOperators } from '../read-operators.ts'
import { subjectOf } from '../people/read-person.ts'
import { recordAction } from '../record-action.ts'

export type GrantTools = Pick<Context, 'db' | 'ledger' | 'config'>
export type GrantOutcome = z.input<typeof endpoint.answer>
type Recording = Pick<AdminCall, 'record'>

/** What became of a grant. One that is decided goes to the ledger, which executes it once and tells ever after. */
export async function showOutcome(
  tools: GrantTools,
  { record }: Recording,
  grant: GrantRow,
): Promise<GrantOutcome> {
  const { db, config } = tools
  const { status } = grant
  const currency = config.currency.code
  if (status === 'open') {
    const approvers = (await readOperators(db)).approversFor(grant.proposed_by)
    return { status, balance: null, currency, approvers }
  }
  if (status === 'rejected' || status === 'withdrawn') {
    return { status, balance: null, currency, approvers: [] }
  }
  // It took effect in the transaction that decided it.
  if (grant.kind === 'credit_limit') {
    return { status: 'posted', balance: null, currency, approvers: [] }
  }
  const { refusal, balanceAfter } = await postForCaller(tools, { record }, grant)
  if (refusal !== null || balanceAfter === null)
    throw new ServiceError(refusal ?? 'OUTCOME_UNKNOWN')
  const balance = toWireNumber(balanceAfter, config.currency)
  return { status: 'posted', balance, currency, approvers: [] }
}

/** The grant is decided and will be posted by somebody, so whatever fails now, "nothing was changed" is not true. */
async function postForCaller(tools: GrantTools, recording: Recording, grant: MoneyGrantRow) {
  try {
    return await postGrant(tools, recording, grant)
  } catch (error) {
    const isBusy = error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE'
    if (isBusy || isConnectionFailure(error)) throw new ServiceError('OUTCOME_UNKNOWN')
    throw error
  }
}

/** Any number of times, by anybody: the ledger executes a grant once. */
export async function postGrant(
  { db, ledger, config }: GrantTools,
  { record }: Recording,
  grant: MoneyGrantRow,
): Promise<Decision> {
  const { id, kind, amount, wallet_id: walletId } = grant
  assert(['approved', 'posted', 'refused'].includes(grant.status), 'only what is decided is posted')
  const isBonus = kind === 'bonus'
  const { decision, mismatch } = await ledger.post({
    kind,
    referenceType: isBonus ? 'BONUS' : 'CORRECTION',
    referenceId: id,
    walletId,
    amountMinor: amount,
    counterAccount: isBonus ? BONUS_ACCOUNT : CORRECTION_ACCOUNT,
    // The reason is for the operators, not for the person.
    description: null,
  })
  assert.equal(mismatch.length, 0, 'the reference of a grant was used for something else')
  const { refusal } = decision
  await inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query(setSettled(id, refusal))
    if (rowCount === 0 || refusal === null) return
    await record(tx, {
      action: 'grant.refuse',
      subject: subjectOf({ id: grant.service_user_id }),
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

const AT_ONCE = 100
const SERVICE = { actor: 'service', actorId: null, address: null }

/** Posts what was decided before somebody died or the ledger was away. One that cannot be posted stops no other. */
export async function finishGrants(tools: GrantTools): Promise<void> {
  const { rows } = await tools.db.query<MoneyGrantRow>(findApproved(AT_ONCE))
  const record: Recording['record'] = (db, action) => recordAction(db, SERVICE, action)
  const faults: unknown[] = []
  for (const grant of rows) {
    try {
      await postGrant(tools, { record }, grant)
    } catch (error) {
      if (error instanceof ServiceError || isConnectionFailure(error)) throw error
      faults.push(error)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'grants could not be posted')
}
