/**
 * The link "This wasn't me" in the emails about an account. Whoever reads them can end everything that somebody else
 * started, without a login. Only the hash of its ticket is stored.
 */
import { randomBytes } from 'node:crypto'
import { WARNING_LINK_DAYS } from '@coffer/contract/limits'
import type pg from 'pg'
import type { Context } from '../context.ts'
import { prune } from '../database/prune.ts'
import { run } from '../database/statement.ts'
import { accountUrl } from './account-url.ts'
import { hashTicket } from './ticket.ts'
import { EXPIRED_WARNING_LINKS, insertWarningLink, type Addressee } from './warning-link-queries.ts'

/** undefined: nobody verified the address. */
export async function issueWarningLink(
  { db, config }: Pick<Context, 'db' | 'config'>,
  addressee: Pick<Addressee, 'userId' | 'email'>,
): Promise<string | undefined> {
  const ticket = randomBytes(24).toString('base64url')
  const link = insertWarningLink(hashTicket(ticket), addressee, WARNING_LINK_DAYS)
  if ((await run(db, link)) === 0) return undefined
  // After the #, so that no server and no log gets it.
  return `${accountUrl(config)}#warning?ticket=${ticket}`
}

export function pruneWarningLinks(db: pg.Pool): Promise<number> {
  return prune(db, EXPIRED_WARNING_LINKS)
}
