/**
 * Bonuses and corrections. The grant is stored first, with its audit entry; then the ledger executes it under the
 * grant's id. After a crash in between, or on a retry, the stored grant is found and finished.
 */
import type { proposeGrant as endpoint } from '@coffer/contract/admin/grants'
import { formatAmount, parseAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { ServiceError, WritesPaused } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { personSubject } from '../person-subject.ts'
import { requiresSecondOperator } from '../require-second-operator.ts'
import { LOCK_GRANTS } from '../second-operator-queries.ts'
import { showOutcome, type GrantOutcome, type GrantTools } from './post-grant.ts'
import { insertGrant, lockGrant, lockPerson, type Grant, type MoneyKind } from './queries.ts'

type Caller = Pick<AdminCall, 'operator' | 'record'>

interface Proposal {
  id: string
  userId: bigint
  kind: MoneyKind
  amountMinor: bigint
  reason: string
}

export async function proposeGrant(
  tools: GrantTools,
  call: Caller,
  input: z.output<typeof endpoint.input>,
): Promise<GrantOutcome> {
  const { db, config } = tools
  const amountMinor = parseAmount(input.amount, config.currency)
  if (amountMinor === undefined || amountMinor === 0n) throw new ServiceError('INVALID_AMOUNT')
  const { id, kind } = input
  const reason = input.reason.trim()
  const proposal = { id, kind, reason, amountMinor, userId: BigInt(input.personId) }
  const pause = await tools.ledger.readPause()
  const grant = await inTransaction(db, async (tx) => {
    await run(tx, LOCK_GRANTS)
    const known = await one(tx, lockGrant(id))
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
  { id, userId, kind, amountMinor, reason }: Proposal,
): Promise<Grant> {
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
      needsSecondOperator: needsSecond,
    },
  })
  return grant
}

/** Another operator's id, or an id with other content, is not a repeat. */
function isSame(known: Grant, proposal: Proposal, { operator }: Caller): boolean {
  return (
    known.kind === proposal.kind &&
    known.proposerId === operator.operatorId &&
    known.userId === proposal.userId &&
    known.amount === proposal.amountMinor &&
    known.reason === proposal.reason
  )
}
