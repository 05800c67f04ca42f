import type { listGrants as endpoint } from '@coffer/contract/admin/grants'
import { type Currency, toWireNumber } from '@coffer/contract/money'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { many } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { listChanges } from '../app-change.ts'
import { type Operators, readOperators } from '../read-operators.ts'
import { readAmountLeft } from '../require-second-operator.ts'
import { toPattern } from '../search-words.ts'
import { type ListedGrant, searchGrants } from './search-queries.ts'

const PAGE = 50
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type GrantPage = z.input<typeof endpoint.response>
type ShownGrant = GrantPage['grants'][number]

export async function listGrants(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { operator }: Pick<AdminCall, 'operator'>,
  { state, personId, search, cursor }: z.output<typeof endpoint.input>,
): Promise<GrantPage> {
  if (cursor !== undefined && !UUID.test(cursor)) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const filter = {
    state,
    userId: personId === undefined ? undefined : BigInt(personId),
    pattern: toPattern(search),
    after: cursor,
    // One more row than the page shows, to know whether there is a next page.
    limit: PAGE + 1,
  }
  const found = await many(db, searchGrants(filter))
  const operators = await readOperators(db)
  const grants = found.slice(0, PAGE).map((grant) => ({
    ...showGrant(grant, operators, config),
    ...showApproval(grant, operators, operator.operatorId),
  }))
  const left = await readAmountLeft(db, { config }, operator.operatorId)
  return {
    grants,
    left: toWireNumber(left > 0n ? left : 0n, config.currency),
    nextCursor: found.length > PAGE ? (grants.at(-1)?.id ?? null) : null,
  }
}

function showGrant(grant: ListedGrant, operators: Operators, { currency }: Context['config']) {
  const { id, kind, reason, status, refusal, amount, secondOperatorId } = grant
  return {
    id,
    kind,
    amount: amount === null ? null : toWireNumber(amount, currency),
    currency: currency.code,
    reason,
    status,
    person: showPerson(grant),
    clientApp: showClientApp(grant, currency),
    changes: grant.kind === 'app_change' ? listChanges(grant.change) : [],
    proposedBy: operators.emailOf(grant.proposerId),
    proposedAt: grant.proposedAt.toISOString(),
    secondOperator: secondOperatorId === null ? null : operators.emailOf(secondOperatorId),
    decidedAt: grant.decidedAt?.toISOString() ?? null,
    declinedBecause: grant.declinedBecause,
    refusal,
  }
}

function isAboutApp(
  grant: ListedGrant,
): grant is Extract<ListedGrant, { kind: 'credit_limit' | 'app_change' }> {
  return grant.kind === 'credit_limit' || grant.kind === 'app_change'
}

function showPerson(grant: ListedGrant): ShownGrant['person'] {
  if (isAboutApp(grant)) return null
  return { id: String(grant.userId), name: grant.personName, email: grant.email }
}

function showClientApp(grant: ListedGrant, currency: Currency): ShownGrant['clientApp'] {
  if (!isAboutApp(grant)) return null
  const creditLimit = grant.kind === 'credit_limit' ? grant.creditLimit : null
  return {
    clientId: grant.clientId ?? '',
    name: grant.appName ?? '',
    creditLimit: creditLimit === null ? null : toWireNumber(creditLimit, currency),
  }
}

/** Why approveGrant would refuse, checked in the same order, and who can approve instead. */
function showApproval(
  grant: ListedGrant,
  operators: Operators,
  me: bigint,
): Pick<ShownGrant, 'approvalBlockedBy' | 'sharedWith' | 'approvers'> {
  const { status, proposerId } = grant
  if (status !== 'open') return { approvalBlockedBy: null, sharedWith: null, approvers: [] }
  const approvers = operators.approversFor(proposerId)
  const because = (
    approvalBlockedBy: ShownGrant['approvalBlockedBy'],
    sharedWith: string | null = null,
  ) => ({
    approvalBlockedBy,
    sharedWith,
    approvers,
  })
  if (me === proposerId) return because('own')
  if (!operators.mayGrant(me)) return because('role')
  const shared = operators.findShared(me, proposerId)
  if (shared !== undefined) return because('related', operators.emailOf(shared))
  if (!operators.mayGrant(proposerId)) return because('proposer_inactive')
  const isGone = !isAboutApp(grant) && grant.email === null
  return because(isGone ? 'person_gone' : null)
}
