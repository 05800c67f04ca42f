/**
 * Money that an operator gives or puts right. The grant is written down first, with its entry in the audit log; then
 * the ledger executes it under the grant's id. Whoever dies in between, or asks again, finds it and goes on.
 */
import type { proposeGrant as endpoint } from '@coffer/contract/admin/grants'
import { formatAmount, parseAmount } from '@coffer/contract/money'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { WritesPaused } from '../../ledger/writes-paused.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import {
  holdPerson,
  insertGrant,
  LOCK_GRANTS,
  lockGrant,
  type GrantRow,
  type MoneyKind,
} from './queries.ts'
import { showOutcome, type GrantOutcome, type GrantTools } from './post-grant.ts'
import { subjectOf } from '../people/read-person.ts'
import { requiresSecondOperator } from '../require-second-operator.ts'

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
    await tx.query(LOCK_GRANTS)
    const [known] = (await tx.query<GrantRow>(lockGrant(id))).rows
    // Before it is written down: what is decided would be posted when writes go on.
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
): Promise<GrantRow> {
  const { operatorId } = operator
  const [person] = (await tx.query<{ wallet_id: bigint }>(holdPerson(userId))).rows
  if (person === undefined) throw new ServiceError('NOT_FOUND')
  const needsSecond = await requiresSecondOperator(tx, { config }, operatorId, amountMinor)
  const [grant] = (
    await tx.query<GrantRow>(
      insertGrant({
        id,
        service_user_id: userId,
        wallet_id: person.wallet_id,
        kind,
        amount: amountMinor,
        reason,
        needs_second: needsSecond,
        proposed_by: operatorId,
      }),
    )
  ).rows
  if (grant === undefined) throw new Error('a grant was not written')
  await record(tx, {
    action: 'grant.propose',
    subject: subjectOf({ id: userId }),
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

/** Somebody else's id, or an id with another content, is no repeat. */
function isSame(known: GrantRow, proposal: Proposal, { operator }: Caller): boolean {
  return (
    known.kind === proposal.kind &&
    known.proposed_by === operator.operatorId &&
    known.service_user_id === proposal.userId &&
    known.amount === proposal.amountMinor &&
    known.reason === proposal.reason
  )
}
