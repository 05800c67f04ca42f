import type pg from 'pg'
import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'

export type TicketPurpose =
  | 'sign_up'
  | 'verify_email'
  | 'consent'
  | 'reset_link'
  | 'change_email'
  | 'client_secret'
  | 'saved_card'

export interface NewTicket {
  purpose: TicketPurpose
  clientAppId?: bigint | null
  userId?: bigint | null
  firstName?: string
  lastName?: string
  email?: string
  /** Of a new account, or the one that the person logged in with. */
  passwordHash?: string | null
  /** For the link code that the last step issues. */
  challenge?: string | null | undefined
}

/** Inserts nothing if the person's password is no longer the one that they logged in with. */
const UNLESS_PASSWORD_CHANGED = `from directory.people
      where service_user_id = $4 and password_hash = $8 for share`

/** Inserts nothing if the person's address is no longer the one that the link is sent to. */
const UNLESS_EMAIL_CHANGED = `from directory.people
      where service_user_id = $4 and lower(email) = lower($7) for share`

function conditionOf({ purpose, userId, passwordHash }: NewTicket): string {
  if (!userId) return ''
  if (purpose === 'reset_link') return UNLESS_EMAIL_CHANGED
  return passwordHash ? UNLESS_PASSWORD_CHANGED : ''
}

export function insertTicket(
  ticketHash: Buffer,
  ticket: NewTicket,
  codeHash: Buffer | null,
  minutes: number,
): pg.QueryConfig {
  return {
    text: `insert into directory.tickets (ticket_hash, purpose, client_app_id, service_user_id, first_name, last_name,
        email, password_hash, link_challenge, code_hash, expires_at)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(mins => $11)
      ${conditionOf(ticket)}`,
    values: [
      ticketHash,
      ticket.purpose,
      ticket.clientAppId ?? null,
      ticket.userId ?? null,
      ticket.firstName ?? null,
      ticket.lastName ?? null,
      ticket.email ?? null,
      ticket.passwordHash ?? null,
      ticket.challenge ? Buffer.from(ticket.challenge, 'base64url') : null,
      codeHash,
      minutes,
    ],
  }
}

export interface Ticket {
  clientAppId: bigint | null
  userId: bigint | null
  firstName: string | null
  lastName: string | null
  email: string | null
  passwordHash: string | null
  challenge: string | null
}

interface TicketRow {
  client_app_id: bigint | null
  service_user_id: bigint | null
  first_name: string | null
  last_name: string | null
  email: string | null
  password_hash: string | null
  link_challenge: Buffer | null
}

export interface TriedTicket {
  /** null: every code is refused. */
  codeHash: Buffer | null
}

const TICKET = `client_app_id, service_user_id, first_name, last_name, email, password_hash, link_challenge`

function readTicketRow(row: TicketRow): Ticket {
  return {
    clientAppId: row.client_app_id,
    userId: row.service_user_id,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    passwordHash: row.password_hash,
    challenge: row.link_challenge?.toString('base64url') ?? null,
  }
}

export function findTicket(ticketHash: Buffer, purpose: TicketPurpose): Statement<Ticket> {
  return {
    text: `select ${TICKET} from directory.tickets
      where ticket_hash = $1 and purpose = $2 and expires_at > now()`,
    values: [ticketHash, purpose],
    read: readTicketRow,
  }
}

/** Counts the attempt before the code is compared, so that concurrent attempts cannot exceed the maximum. */
export function tryTicket(
  ticketHash: Buffer,
  purposes: readonly TicketPurpose[],
  triesMax: number,
): Statement<TriedTicket> {
  return {
    text: `update directory.tickets set tries = tries + 1
      where ticket_hash = $1 and purpose = any($2::text[]) and expires_at > now() and tries < $3
      returning code_hash`,
    values: [ticketHash, purposes, triesMax],
    read: (row: { code_hash: Buffer | null }) => ({ codeHash: row.code_hash }),
  }
}

/** Deletes the ticket and returns it, so that it is used only once. */
export function takeTicket(
  ticketHash: Buffer,
  purposes: readonly TicketPurpose[],
): Statement<Ticket> {
  return {
    text: `delete from directory.tickets
      where ticket_hash = $1 and purpose = any($2::text[]) and expires_at > now()
      returning ${TICKET}`,
    values: [ticketHash, purposes],
    read: readTicketRow,
  }
}

/** All tickets of a person, so that no step started before can be completed. */
export function deleteTickets(userId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.tickets where service_user_id = $1',
    values: [userId],
  }
}

export const EXPIRED_TICKETS: Expired = { table: 'directory.tickets', where: 'expires_at < now()' }
