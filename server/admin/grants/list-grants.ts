import type { listGrants as endpoint } from '@coffer/contract/admin/grants'
import { toWireNumber, type Currency } from '@coffer/contract/money'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { searchGrants, type ListedGrantRow } from './queries.ts'
import { readOperators } from '../read-operators.ts'
import type { Operators } from '../relate-operators.ts'
import { toPattern } from '../search-words.ts'

const PAGE = 50
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type GrantPage = z.input<typeof endpoint.answer>
type ShownGrant = GrantPage['grants'][number]

export async function listGrants(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { operator }: Pick<AdminCall, 'operator'>,
  { state, personId, search, cursor }: z.output<typeof endpoint.input>,
): Promise<GrantPage> {
  if (cursor !== undefined && !UUID.test(cursor)) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const asked = {
    state,
    userId: personId === undefined ? undefined : BigInt(personId),
    pattern: toPattern(search),
    after: cursor,
    // One more than is shown tells whether there is a next page.
    limit: PAGE + 1,
  }
  const { rows } = await db.query<ListedGrantRow>(searchGrants(asked))
  const operators = await readOperators(db)
  const grants = rows.slice(0, PAGE).map((row) => ({
    ...showGrant(row, operators, config),
    ...showApproval(row, operators, operator.operatorId),
  }))
  return { grants, nextCursor: rows.length > PAGE ? (grants.at(-1)?.id ?? null) : null }
}

function showGrant(row: ListedGrantRow, operators: Operators, { currency }: Context['config']) {
  const { id, kind, reason, status, refusal, amount } = row
  const { second_operator: second } = row
  return {
    id,
    kind,
    amount: amount === null ? null : toWireNumber(amount, currency),
    currency: currency.code,
    reason,
    status,
    person: showPerson(row),
    clientApp: showClientApp(row, currency),
    proposedBy: operators.emailOf(row.proposed_by),
    proposedAt: row.proposed_at.toISOString(),
    secondOperator: second === null ? null : operators.emailOf(second),
    decidedAt: row.decided_at?.toISOString() ?? null,
    declinedBecause: row.declined_because,
    refusal,
  }
}

function showPerson(row: ListedGrantRow): ShownGrant['person'] {
  if (row.kind === 'credit_limit') return null
  const { email } = row
  const name = email === null ? null : `${row.first_name} ${row.last_name}`
  return { id: String(row.service_user_id), name, email }
}

function showClientApp(row: ListedGrantRow, currency: Currency): ShownGrant['clientApp'] {
  if (row.kind !== 'credit_limit') return null
  const limit = row.credit_limit
  return {
    clientId: row.client_id ?? '',
    name: row.app_name ?? '',
    creditLimit: limit === null ? null : toWireNumber(limit, currency),
  }
}

/** What approveGrant would say, in the same order, and whom to ask instead. */
function showApproval(
  row: ListedGrantRow,
  operators: Operators,
  me: bigint,
): Pick<ShownGrant, 'hindrance' | 'sharedWith' | 'approvers'> {
  const { status, proposed_by: proposer } = row
  if (status !== 'open') return { hindrance: null, sharedWith: null, approvers: [] }
  const approvers = operators.approversFor(proposer)
  const because = (hindrance: ShownGrant['hindrance'], sharedWith: string | null = null) => ({
    hindrance,
    sharedWith,
    approvers,
  })
  if (me === proposer) return because('own')
  if (!operators.mayGive(me)) return because('role')
  const shared = operators.findShared(me, proposer)
  if (shared !== undefined) return because('related', operators.emailOf(shared))
  if (!operators.mayGive(proposer)) return because('proposer_inactive')
  const isGone = row.kind !== 'credit_limit' && row.email === null
  return because(isGone ? 'person_gone' : null)
}
