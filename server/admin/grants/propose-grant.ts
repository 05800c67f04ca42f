/**
 * Bonuses and corrections. The grant is stored first, with its audit entry; then the ledger executes it under the
 * grant's id. After a crash in between, or on a retry, the stored grant is found and finished.
 */
import type { proposeGrant as endpoint } from '@coffer/contract/admin/grants'
import { formatAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { readAmount } from '../../read-amount.ts'
import { ServiceError, WritesPaused } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { personSubject } from '../record-people.ts'
import { requiresSecondOperator } from '../require-second-operator.ts'
import { LOCK_GRANTS } from '../second-operator-queries.ts'
import { showOutcome, type GrantOutcome, type GrantTools } from './post-grant.ts'
import { insertGrant, lockGrant, lockPerson, type Grant, type MoneyGrant } from './queries.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

interface Proposal {
  id: string
  userId: bigint
  kind: MoneyGrant['kind']
  amountMinor: bigint
  reason: string
  /** The digest of the hold that is released; null: not a release. */
  hold: string | null
  /** Why nothing is left of the hold. */
  ended?: 'HOLD_CLOSED' | 'HOLD_EXPIRED'
}

export async function proposeGrant(
  tools: GrantTools,
  call: Caller,
  input: z.output<typeof endpoint.input>,
): Promise<GrantOutcome> {
  const amountMinor = readAmount('amount', input.amount, tools.config.currency)
  const { id, kind } = input
  const reason = input.reason.trim()
  const userId = BigInt(input.personId)
  return storeGrant(tools, call, { id, kind, reason, amountMinor, userId, hold: null })
}

/** Stores a proposal, or finds it if it is stored, and posts it if it is decided. */
export async function storeGrant(
  tools: GrantTools,
  call: Caller,
  proposal: Proposal,
): Promise<GrantOutcome> {
  const pause = await tools.ledger.readPause()
  const grant = await inTransaction(tools.db, async (tx) => {
    await run(tx, LOCK_GRANTS)
    const known = await one(tx, lockGrant(proposal.id))
    // Checked before the grant is stored: a decided grant would be posted as soon as writes resume.
    if (known === undefined && pause) throw new WritesPaused()
    if (known === undefined) return writeGrant(tx, tools, call, proposal)
    if (isSame(known, proposal, call)) return known
    throw new ServiceError('INVALID_REQUEST', 'id')
  })
  return showOutcome(tools, call, grant)
}

async function writeGrant(
  tx: pg.ClientBase,
  { config }: Pick<Context, 'config'>,
  { operator, record }: Caller,
  { id, userId, kind, amountMinor, reason, hold, ended }: Proposal,
): Promise<Grant> {
  if (ended) throw new ServiceError(ended)
  const { operatorId } = operator
  const person = await one(tx, lockPerson(userId))
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  const needsSecond = await requiresSecondOperator(tx, { config }, operatorId, amountMinor)
  const { walletId } = person
  const amount = amountMinor
  const grant = await one(
    tx,
    insertGrant({
      id,
      userId,
      walletId,
      kind,
      amount,
      reason,
      needsSecond,
      proposerId: operatorId,
      hold,
    }),
  )
  if (grant === undefined) throw new Error('a grant was not stored')
  await record(tx, {
    action: 'grant.propose',
    subject: personSubject(userId),
    after: {
      grant: grant.id,
      kind,
      amount: formatAmount(amountMinor, config.currency),
      reason,
      ...(hold !== null && { hold }),
      needsSecondOperator: needsSecond,
    },
  })
  return grant
}

/** Another operator's id, or an id with other content, is not a repeat. */
function isSame(known: Grant, proposal: Proposal, { operator }: Caller): boolean {
  if (known.kind === 'credit_limit' || known.kind === 'app_change') return false
  return (
    known.kind === proposal.kind &&
    known.proposerId === operator.operatorId &&
    known.userId === proposal.userId &&
    known.hold === proposal.hold &&
    // What is left of a hold changes by its release.
    (known.hold !== null || known.amount === proposal.amountMinor) &&
    known.reason === proposal.reason
  )
}
