import type { listPeople as endpoint } from '@coffer/contract/admin/people'
import { toWireNumber } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type pg from 'pg'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { WalletState } from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import {
  findPerson,
  findPersonByLink,
  listPeople as listAll,
  searchPeople,
  type PersonRow,
} from './queries.ts'

const PAGE = 50
const SERVICE_USER_ID = /^su_[0-9a-f]{32}$/
/** As the audit log names a person. */
const SUBJECT = /^person\/(\d{1,18})$/

type Tools = Pick<Context, 'db' | 'ledger' | 'config'>
type PeoplePage = z.output<typeof endpoint.answer>

export async function listPeople(
  { db, ledger, config }: Tools,
  { search = '', cursor }: z.output<typeof endpoint.input>,
): Promise<PeoplePage> {
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const after = cursor === undefined ? undefined : BigInt(cursor)
  // One more than is shown tells whether there is a next page.
  const { rows } = await db.query<PersonRow>(toQuery(search, { after, limit: PAGE + 1 }))
  const shown = rows.slice(0, PAGE)
  const wallets = await Promise.all(shown.map((row) => ledger.readWallet(row.wallet_id)))
  const people = shown.map((row, at) => showPerson(row, wallets[at], config))
  const nextCursor = rows.length > PAGE ? (people.at(-1)?.id ?? null) : null
  return { people, currency: config.currency.code, nextCursor }
}

export function showPerson(
  row: PersonRow,
  wallet: WalletState | undefined,
  { currency }: Pick<Context['config'], 'currency'>,
): PeoplePage['people'][number] {
  assert(wallet, 'a person has a wallet')
  return {
    id: String(row.id),
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    balance: toWireNumber(wallet.balance, currency),
    isActive: wallet.isActive,
    createdAt: row.created_at.toISOString(),
  }
}

function toQuery(
  search: string,
  page: { after: bigint | undefined; limit: number },
): pg.QueryConfig {
  // NUL is an error in PostgreSQL, and nobody searches for the others.
  if (/\p{Cc}|\p{Cs}/u.test(search)) throw new ServiceError('INVALID_REQUEST', 'search')
  const text = search.trim()
  if (text === '') return listAll(page)
  if (SERVICE_USER_ID.test(text)) return findPersonByLink(text.slice('su_'.length))
  const [, id] = SUBJECT.exec(text) ?? []
  if (id !== undefined) return findPerson(BigInt(id))
  const emailPattern = `${text.replace(/[\\%_]/g, '\\$&')}%`
  return searchPeople({ emailPattern, names: toNames(text), ...page })
}

/** A tsquery: every word is the beginning of a word of the name. What is quoted is text, whatever stands in it. */
function toNames(text: string): string {
  const words = text.split(/\s+/).map((word) => `'${word.replace(/['\\]/g, '$&$&')}':*`)
  return words.join(' & ')
}
