import type pg from 'pg'
import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'

/** `email`: the address that the link restores. */
export function insertUndoLink(
  ticketHash: Buffer,
  userId: bigint,
  email: string,
  days: number,
): pg.QueryConfig {
  return {
    text: `insert into directory.undo_links (ticket_hash, service_user_id, email, expires_at)
      values ($1, $2, $3, clock_timestamp() + make_interval(days => $4))`,
    values: [ticketHash, userId, email, days],
  }
}

export interface UndoLink {
  userId: bigint
  email: string
}

export function findUndoLink(ticketHash: Buffer): Statement<UndoLink> {
  return {
    text: `select service_user_id, email from directory.undo_links
      where ticket_hash = $1 and expires_at > now()`,
    values: [ticketHash],
    read: (row: { service_user_id: bigint; email: string }) => ({
      userId: row.service_user_id,
      email: row.email,
    }),
  }
}

/** Deletes the link and every newer one of the person: those belong to addresses that this link takes back. */
export function takeUndoLink(ticketHash: Buffer): pg.QueryConfig {
  return {
    text: `with used as (
        select service_user_id, expires_at from directory.undo_links
        where ticket_hash = $1 and expires_at > now()
      )
      delete from directory.undo_links u using used
      where u.service_user_id = used.service_user_id and u.expires_at >= used.expires_at`,
    values: [ticketHash],
  }
}

export function deleteUndoLinks(userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.undo_links where service_user_id = $1',
    values: [userId],
  }
}

export const EXPIRED_UNDO_LINKS: Expired = {
  table: 'directory.undo_links',
  where: 'expires_at < now()',
}
