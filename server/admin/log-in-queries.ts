import type { Role } from '@coffer/contract/admin/endpoint'
import type { Expired } from '../database/prune.ts'
import type { Statement } from '../database/statement.ts'

export function insertLogIn(logIn: {
  tokenHash: Buffer
  operatorId: bigint
  address: string
  device: string
  hours: number
}) {
  const { tokenHash, operatorId, address, device, hours } = logIn
  return {
    text: `insert into admin.log_ins (token_hash, operator_id, address, device, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
    values: [tokenHash, operatorId, address, device, hours],
  }
}

export interface LoggedInOperator {
  logInId: string
  operatorId: bigint
  email: string
  name: string
  role: Role
  /** Gave the password and a code, or a passkey, within the last minutes. */
  isConfirmed: boolean
}

export interface FoundLogIn {
  operator: LoggedInOperator
  /** Whether the stored time of the last request is older than a minute. */
  isLastSeenOld: boolean
}

interface LogInRow {
  id: string
  operator_id: bigint
  email: string
  name: string
  role: Role
  is_confirmed: boolean
  is_last_seen_old: boolean
}

export function findLogIn(
  tokenHash: Buffer,
  idleMinutes: number,
  confirmedMinutes: number,
): Statement<FoundLogIn> {
  return {
    name: 'find-admin-log-in',
    text: `select i.id, i.operator_id, o.email, o.name, o.role,
        i.confirmed_at > now() - make_interval(mins => $3) as is_confirmed,
        i.last_seen_at < now() - interval '1 minute' or o.last_seen_at is null as is_last_seen_old
      from admin.log_ins i join admin.operators o on o.id = i.operator_id
      where i.token_hash = $1 and i.expires_at > now() and o.is_active
        and i.last_seen_at > now() - make_interval(mins => $2)`,
    values: [tokenHash, idleMinutes, confirmedMinutes],
    read: (row: LogInRow) => ({
      operator: {
        logInId: row.id,
        operatorId: row.operator_id,
        email: row.email,
        name: row.name,
        role: row.role,
        isConfirmed: row.is_confirmed,
      },
      isLastSeenOld: row.is_last_seen_old,
    }),
  }
}

export function updateLogInLastSeen(id: string) {
  return { text: 'update admin.log_ins set last_seen_at = now() where id = $1', values: [id] }
}

export function updateOperatorLastSeen(id: bigint) {
  return { text: 'update admin.operators set last_seen_at = now() where id = $1', values: [id] }
}

export function deleteLogInByToken(tokenHash: Buffer) {
  return { text: 'delete from admin.log_ins where token_hash = $1', values: [tokenHash] }
}

export function deleteTicketsOf(operatorId: bigint) {
  return { text: 'delete from admin.tickets where operator_id = $1', values: [operatorId] }
}

export const EXPIRED_SIGN_IN_ROWS: Expired[] = [
  'admin.tickets',
  'admin.log_ins',
  'admin.passkey_challenges',
].map((table) => ({ table, where: 'expires_at < now()' }))
