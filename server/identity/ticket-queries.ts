import type pg from 'pg'

export type TicketPurpose = 'sign_up' | 'verify_email' | 'consent' | 'reset' | 'change_email'

export interface NewTicket {
  purpose: TicketPurpose
  clientAppId?: bigint | null
  serviceUserId?: bigint | null
  firstName?: string
  lastName?: string
  email?: string
  passwordHash?: string
}

export function insertTicket(
  ticketHash: Buffer,
  ticket: NewTicket,
  codeHash: Buffer | null,
  minutes: number,
): pg.QueryConfig {
  return {
    text: `insert into directory.tickets (ticket_hash, purpose, client_app_id, service_user_id, first_name, last_name,
        email, password_hash, code_hash, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(mins => $10))`,
    values: [
      ticketHash,
      ticket.purpose,
      ticket.clientAppId ?? null,
      ticket.serviceUserId ?? null,
      ticket.firstName ?? null,
      ticket.lastName ?? null,
      ticket.email ?? null,
      ticket.passwordHash ?? null,
      codeHash,
      minutes,
    ],
  }
}

export interface TicketRow {
  purpose: TicketPurpose
  client_app_id: bigint | null
  service_user_id: bigint | null
  first_name: string | null
  last_name: string | null
  email: string | null
  password_hash: string | null
  code_hash: Buffer | null
}

/** Counts the try before it is judged, so that many at once are still few. */
export function tryTicket(
  ticketHash: Buffer,
  purposes: readonly TicketPurpose[],
  triesMax: number,
): pg.QueryConfig {
  return {
    text: `update directory.tickets set tries = tries + 1
      where ticket_hash = $1 and purpose = any($2::text[]) and expires_at > now() and tries < $3
      returning code_hash, email`,
    values: [ticketHash, purposes, triesMax],
  }
}

/** Whoever gets the row has the ticket; nobody gets it twice. */
export function takeTicket(ticketHash: Buffer, purposes: readonly TicketPurpose[]): pg.QueryConfig {
  return {
    text: `delete from directory.tickets
      where ticket_hash = $1 and purpose = any($2::text[]) and expires_at > now()
      returning purpose, client_app_id, service_user_id, first_name, last_name, email, password_hash`,
    values: [ticketHash, purposes],
  }
}

/** All tickets of a person, so that nothing that was started before can be finished. */
export function deleteTickets(serviceUserId: bigint): pg.QueryConfig {
  return {
    text: 'delete from directory.tickets where service_user_id = $1',
    values: [serviceUserId],
  }
}

export const DELETE_EXPIRED_TICKETS = 'delete from directory.tickets where expires_at < now()'
