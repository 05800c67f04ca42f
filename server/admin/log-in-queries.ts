import type { Role } from '@coffer/contract/admin/endpoint'
import type pg from 'pg'
import type { SealedSeed } from './sign-in/seal-seed.ts'

export function insertTicket(
  ticketHash: Buffer,
  operatorId: bigint,
  seed: SealedSeed | undefined,
  minutes: number,
): pg.QueryConfig {
  return {
    text: `insert into admin.tickets (ticket_hash, operator_id, totp_seed, totp_key_id, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(mins => $5))`,
    values: [ticketHash, operatorId, seed?.sealed ?? null, seed?.keyId ?? null, minutes],
  }
}

export interface TicketRow {
  operator_id: bigint
  totp_seed: Buffer | null
  totp_key_id: string | null
}

/** Counts the try before it is judged, so that many at once are still few. */
export function tryTicket(ticketHash: Buffer, triesMax: number): pg.QueryConfig {
  return {
    text: `update admin.tickets set tries = tries + 1
      where ticket_hash = $1 and expires_at > now() and tries < $2
      returning operator_id, totp_seed, totp_key_id`,
    values: [ticketHash, triesMax],
  }
}

/** Whoever gets the row has the ticket; nobody gets it twice. */
export function takeTicket(ticketHash: Buffer): pg.QueryConfig {
  return {
    text: 'delete from admin.tickets where ticket_hash = $1 returning operator_id',
    values: [ticketHash],
  }
}

export function insertLogIn(login: {
  tokenHash: Buffer
  operatorId: bigint
  address: string
  device: string
  hours: number
}): pg.QueryConfig {
  const { tokenHash, operatorId, address, device, hours } = login
  return {
    text: `insert into admin.log_ins (token_hash, operator_id, address, device, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
    values: [tokenHash, operatorId, address, device, hours],
  }
}

export interface LogInRow {
  id: string
  operator_id: bigint
  email: string
  name: string
  role: Role
  is_confirmed: boolean
  is_worth_noting: boolean
}

export function findLogIn(
  tokenHash: Buffer,
  idleMinutes: number,
  confirmedMinutes: number,
): pg.QueryConfig {
  return {
    name: 'find-admin-log-in',
    text: `select i.id, i.operator_id, o.email, o.name, o.role,
        i.confirmed_at > now() - make_interval(mins => $3) as is_confirmed,
        i.last_seen_at < now() - interval '1 minute' or o.last_seen_at is null as is_worth_noting
      from admin.log_ins i join admin.operators o on o.id = i.operator_id
      where i.token_hash = $1 and i.expires_at > now() and o.is_active
        and i.last_seen_at > now() - make_interval(mins => $2)`,
    values: [tokenHash, idleMinutes, confirmedMinutes],
  }
}

export function noteLogIn(id: string): pg.QueryConfig {
  return { text: 'update admin.log_ins set last_seen_at = now() where id = $1', values: [id] }
}

export function noteOperator(id: bigint): pg.QueryConfig {
  return { text: 'update admin.operators set last_seen_at = now() where id = $1', values: [id] }
}

export function confirmLogIn(id: string): pg.QueryConfig {
  return { text: 'update admin.log_ins set confirmed_at = now() where id = $1', values: [id] }
}

export function deleteLogIn(id: string): pg.QueryConfig {
  return { text: 'delete from admin.log_ins where id = $1', values: [id] }
}

export function deleteLogInByToken(tokenHash: Buffer): pg.QueryConfig {
  return { text: 'delete from admin.log_ins where token_hash = $1', values: [tokenHash] }
}

export function deleteLogInsOf(operatorId: bigint): pg.QueryConfig {
  return { text: 'delete from admin.log_ins where operator_id = $1', values: [operatorId] }
}

export function deleteTicketsOf(operatorId: bigint): pg.QueryConfig {
  return { text: 'delete from admin.tickets where operator_id = $1', values: [operatorId] }
}

export const DELETE_EXPIRED_TICKETS = 'delete from admin.tickets where expires_at < now()'
export const DELETE_EXPIRED_LOG_INS = 'delete from admin.log_ins where expires_at < now()'
