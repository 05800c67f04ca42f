import type { WalletOwner } from '@coffer/contract/shapes'
import type pg from 'pg'
import { one } from '../database/statement.ts'
import { findPerson } from './queries.ts'

/**
 * Who owns the wallet, so that a person can check it before paying. The client app that created the session can read
 * this too, so the full email address never leaves the server.
 */
export async function readOwner(db: pg.Pool, userId: bigint): Promise<WalletOwner> {
  const person = await one(db, findPerson(userId))
  return {
    firstName: person?.firstName ?? '',
    lastName: person?.lastName ?? '',
    maskedEmail: person === undefined ? '' : maskEmail(person.email),
  }
}

/** The first character and the domain: `a…@example.com`. The length of the rest is not shown. */
export function maskEmail(email: string): string {
  const [first = ''] = email
  return `${first}…${email.slice(email.lastIndexOf('@'))}`
}
