import type { listTopups as endpoint } from '@coffer/contract/admin/topups'
import { toWireNumber, type Currency } from '@coffer/contract/money'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import { UUID } from '../../topup/settle.ts'
import { toPattern } from '../search-words.ts'
import { searchTopups, type TopupRow, type TopupSearch } from './queries.ts'

const PAGE = 50
const DAY_MS = 24 * 60 * 60 * 1000

type TopupPage = z.output<typeof endpoint.answer>

export async function listTopups(
  { db, config }: Pick<Context, 'db' | 'config'>,
  input: z.output<typeof endpoint.input>,
): Promise<TopupPage> {
  const { search, state, having, personId, clientId, from, to, cursor } = input
  if (cursor !== undefined && !UUID.test(cursor))
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  const asked: TopupSearch = {
    search: readSearch(search),
    status: state,
    having,
    personId: personId === undefined ? undefined : BigInt(personId),
    clientId,
    from: from === undefined ? undefined : new Date(from),
    before: to === undefined ? undefined : new Date(Date.parse(to) + DAY_MS),
    after: cursor,
    // One more than is shown tells whether there is a next page.
    limit: PAGE + 1,
  }
  const { rows } = await db.query<TopupRow>(searchTopups(asked))
  const topups = rows.slice(0, PAGE).map((row) => showTopup(row, config.currency))
  const nextCursor = rows.length > PAGE ? (topups.at(-1)?.id ?? null) : null
  return { topups, currency: config.currency.code, nextCursor }
}

/** Ids are looked for as a whole: nobody remembers the half of one. */
function readSearch(search = ''): TopupSearch['search'] {
  const isEmpty = toPattern(search) === undefined
  const text = search.trim()
  if (isEmpty) return undefined
  if (text.includes('@')) return { as: 'email', text }
  return { as: UUID.test(text) ? 'uuid' : 'id', text }
}

export function showTopup(row: TopupRow, currency: Currency): TopupPage['topups'][number] {
  return {
    id: row.id,
    state: row.status,
    amount: toWireNumber(row.amount, currency),
    refunded: toWireNumber(row.refunded, currency),
    disputeStatus: row.dispute_status,
    intentId: row.intent_id,
    createdAt: row.created_at.toISOString(),
    person: { id: String(row.service_user_id), name: row.person_name },
    clientApp: { clientId: row.client_id, name: row.app_name },
  }
}
