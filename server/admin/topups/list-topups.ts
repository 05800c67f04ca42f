import type { listTopups as endpoint } from '@coffer/contract/admin/topups'
import { toWireNumber, type Currency } from '@coffer/contract/money'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { many } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { UUID } from '../../topup/credit-if-paid.ts'
import { toPattern } from '../search-words.ts'
import { searchTopups, type Topup, type TopupSearch } from './queries.ts'

const PAGE = 50
const DAY_MS = 24 * 60 * 60 * 1000

type TopupPage = z.output<typeof endpoint.response>

export async function listTopups(
  { db, config }: Pick<Context, 'db' | 'config'>,
  input: z.output<typeof endpoint.input>,
): Promise<TopupPage> {
  const { search, state, having, personId, clientId, from, to, cursor } = input
  if (cursor !== undefined && !UUID.test(cursor))
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  const query: TopupSearch = {
    search: readSearch(search),
    status: state,
    having,
    personId: personId === undefined ? undefined : BigInt(personId),
    clientId,
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
    after: cursor,
    // One more row than the page shows, to know whether there is a next page.
    limit: PAGE + 1,
  }
  const found = await many(db, searchTopups(query))
  const topups = found.slice(0, PAGE).map((topup) => showTopup(topup, config.currency))
  const nextCursor = found.length > PAGE ? (topups.at(-1)?.id ?? null) : null
  return { topups, currency: config.currency.code, nextCursor }
}

/** Ids match only as a whole. */
function readSearch(search = ''): TopupSearch['search'] {
  const isEmpty = toPattern(search) === undefined
  const text = search.trim()
  if (isEmpty) return undefined
  if (text.includes('@')) return { as: 'email', text }
  return { as: UUID.test(text) ? 'uuid' : 'id', text }
}

export function showTopup(topup: Topup, currency: Currency): TopupPage['topups'][number] {
  const { id, status, disputeStatus, intentId, person, clientApp } = topup
  return {
    id,
    state: status,
    amount: toWireNumber(topup.amount, currency),
    refunded: toWireNumber(topup.refunded, currency),
    disputeStatus,
    intentId,
    createdAt: topup.createdAt.toISOString(),
    isAutomatic: topup.isAutomatic,
    person: { id: String(person.id), name: person.name },
    clientApp,
  }
}
