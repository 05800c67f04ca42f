import type { listPeople as endpoint } from '@coffer/contract/admin/people'
import { toWireNumber } from '@coffer/contract/money'
import assert from 'node:assert/strict'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { many, type Statement } from '../../database/statement.ts'
import type { WalletState } from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import {
  findPerson,
  findPersonByLink,
  listPeople as listAll,
  searchFrozen,
  searchPeople,
  type Person,
} from './queries.ts'

const PAGE = 50
const SERVICE_USER_ID = /^su_[0-9a-f]{32}$/
/** A person's name in the audit log. */
const SUBJECT = /^person\/(\d{1,18})$/

type Tools = Pick<Context, 'db' | 'ledger' | 'config'>
type PeoplePage = z.output<typeof endpoint.response>

export async function listPeople(
  { db, ledger, config }: Tools,
  { search = '', state, cursor }: z.output<typeof endpoint.input>,
): Promise<PeoplePage> {
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) {
    throw new ServiceError('INVALID_REQUEST', 'cursor')
  }
  const after = cursor === undefined ? undefined : BigInt(cursor)
  // One more row than the page shows, to know whether there is a next page.
  const found = await many(db, toStatement(search, state === 'frozen', { after, limit: PAGE + 1 }))
  const shown = found.slice(0, PAGE)
  const wallets = await Promise.all(shown.map(({ walletId }) => ledger.readWallet(walletId)))
  const all = shown.map((person, at) => showPerson(person, wallets[at], config))
  const nextCursor = found.length > PAGE ? (all.at(-1)?.id ?? null) : null
  // An id is found whatever the state is, and a wallet can change meanwhile.
  const people = state === 'frozen' ? all.filter(({ isActive }) => !isActive) : all
  return { people, currency: config.currency.code, nextCursor }
}

export function showPerson(
  person: Person,
  wallet: WalletState | undefined,
  { currency }: Pick<Context['config'], 'currency'>,
): PeoplePage['people'][number] {
  assert(wallet, 'a person has a wallet')
  return {
    id: String(person.id),
    firstName: person.firstName,
    lastName: person.lastName,
    email: person.email,
    balance: toWireNumber(wallet.balance, currency),
    isActive: wallet.isActive,
    createdAt: person.createdAt.toISOString(),
  }
}

function toStatement(
  search: string,
  isFrozen: boolean,
  page: { after: bigint | undefined; limit: number },
): Statement<Person> {
  const text = search.trim()
  if (text === '') return isFrozen ? searchFrozen({ words: undefined, ...page }) : listAll(page)
  if (SERVICE_USER_ID.test(text)) return findPersonByLink(text.slice('su_'.length))
  const [, id] = SUBJECT.exec(text) ?? []
  if (id !== undefined) return findPerson(BigInt(id))
  const emailPattern = `${text.replace(/[\\%_]/g, '\\$&')}%`
  const words = { emailPattern, names: toNames(text) }
  return isFrozen ? searchFrozen({ words, ...page }) : searchPeople({ ...words, ...page })
}

/** Returns a tsquery that matches each word as a prefix. The quotes make any input plain text. */
function toNames(text: string): string {
  const words = text.split(/\s+/).map((word) => `'${word.replace(/['\\]/g, '$&$&')}':*`)
  return words.join(' & ')
}
