import type { Language } from '@coffer/contract/languages'
import type pg from 'pg'
import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'

/** Who gets an email about their account. */
export interface Addressee {
  userId: bigint
  email: string
  /** The language of the email: the person's own, or else that of the browser; null: not known. */
  language: Language | null
}

/**
 * Inserts nothing if the person no longer has this address, or nobody verified it: then it may be somebody else's
 * mailbox.
 */
export function insertWarningLink(
  ticketHash: Buffer,
  { userId, email }: Pick<Addressee, 'userId' | 'email'>,
  days: number,
): pg.QueryConfig {
  return {
    text: `insert into directory.warning_links (ticket_hash, service_user_id, expires_at)
      select $1, service_user_id, clock_timestamp() + make_interval(days => $3)
      from directory.people where service_user_id = $2 and lower(email) = lower($4)
        and email_verified_at is not null for share`,
    values: [ticketHash, userId, days, email],
  }
}

/** Returns the person. */
export function findWarningLink(ticketHash: Buffer): Statement<bigint> {
  return {
    text: `select service_user_id from directory.warning_links
      where ticket_hash = $1 and expires_at > now()`,
    values: [ticketHash],
    read: (row: { service_user_id: bigint }) => row.service_user_id,
  }
}

/** Deletes the link, so that it is used only once. */
export function takeWarningLink(ticketHash: Buffer): pg.QueryConfig {
  return {
    text: 'delete from directory.warning_links where ticket_hash = $1 and expires_at > now()',
    values: [ticketHash],
  }
}

export function deleteWarningLinks(userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.warning_links where service_user_id = $1',
    values: [userId],
  }
}

export const EXPIRED_WARNING_LINKS: Expired = {
  table: 'directory.warning_links',
  where: 'expires_at < now()',
}
