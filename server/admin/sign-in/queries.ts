/** The operator's credentials and logins. */
import type { Statement } from '../../database/statement.ts'
import type { SealedSeed } from '../seal-seed.ts'

export interface Operator {
  id: bigint
  email: string
  passwordHash: string
  /** undefined: the operator has no authenticator yet. */
  seed: SealedSeed | undefined
}

interface SeedRow {
  totp_seed: Buffer | null
  totp_key_id: string | null
}

interface OperatorRow extends SeedRow {
  id: bigint
  email: string
  password_hash: string
}
const OPERATOR = 'id, email, password_hash, totp_seed, totp_key_id'

function readOperator(row: OperatorRow): Operator {
  return { id: row.id, email: row.email, passwordHash: row.password_hash, seed: readSeed(row) }
}

function readSeed({ totp_seed: sealed, totp_key_id: keyId }: SeedRow): SealedSeed | undefined {
  return sealed && keyId ? { sealed, keyId } : undefined
}

export function findOperatorByEmail(email: string): Statement<Operator> {
  return {
    text: `select ${OPERATOR} from admin.operators where lower(email) = lower($1) and is_active`,
    values: [email],
    read: readOperator,
  }
}

export function findActiveOperator(id: bigint): Statement<Operator> {
  return {
    text: `select ${OPERATOR} from admin.operators where id = $1 and is_active`,
    values: [id],
    read: readOperator,
  }
}

/** Serializes changes to one operator's sign-in. */
export function lockActiveOperator(id: bigint) {
  return {
    text: 'select id from admin.operators where id = $1 and is_active for update',
    values: [id],
  }
}

export function insertTicket(
  ticketHash: Buffer,
  operatorId: bigint,
  seed: SealedSeed | undefined,
  minutes: number,
) {
  return {
    text: `insert into admin.tickets (ticket_hash, operator_id, totp_seed, totp_key_id, expires_at)
      values ($1, $2, $3, $4, now() + make_interval(mins => $5))`,
    values: [ticketHash, operatorId, seed?.sealed ?? null, seed?.keyId ?? null, minutes],
  }
}

export interface Ticket {
  operatorId: bigint
  /** The seed of the authenticator that this login sets up, if it does. */
  seed: SealedSeed | undefined
}

/** Counts the attempt before the code is checked, so that concurrent attempts cannot exceed the maximum. */
export function tryTicket(ticketHash: Buffer, triesMax: number): Statement<Ticket> {
  return {
    text: `update admin.tickets set tries = tries + 1
      where ticket_hash = $1 and expires_at > now() and tries < $2
      returning operator_id, totp_seed, totp_key_id`,
    values: [ticketHash, triesMax],
    read: (row: SeedRow & { operator_id: bigint }) => ({
      operatorId: row.operator_id,
      seed: readSeed(row),
    }),
  }
}

/** Deletes the ticket, so that only one login can use it. */
export function takeTicket(ticketHash: Buffer) {
  return {
    text: 'delete from admin.tickets where ticket_hash = $1 returning operator_id',
    values: [ticketHash],
  }
}

export function confirmLogIn(id: string) {
  return { text: 'update admin.log_ins set confirmed_at = now() where id = $1', values: [id] }
}

export function deleteLogIn(id: string) {
  return { text: 'delete from admin.log_ins where id = $1', values: [id] }
}

/** Changes no row if the operator already has an authenticator. */
export function setAuthenticator(
  id: bigint,
  seed: SealedSeed,
  step: number,
  recoveryHmacs: readonly Buffer[],
) {
  return {
    text: `update admin.operators
      set totp_seed = $2, totp_key_id = $3, totp_step = $4, recovery_hmacs = $5::bytea[], recovery_key_id = null
      where id = $1 and is_active and totp_seed is null and totp_step < $4 returning id`,
    values: [id, seed.sealed, seed.keyId, step, recoveryHmacs],
  }
}

/** Changes no row if this code or a later one was already used. */
export function useStep(id: bigint, step: number) {
  return {
    text: `update admin.operators set totp_step = $2
      where id = $1 and is_active and totp_seed is not null and totp_step < $2 returning id`,
    values: [id, step],
  }
}

/** `hmacs` contains the code's HMAC under each of the keys. */
export function useRecoveryCode(id: bigint, hmacs: readonly Buffer[]) {
  return {
    text: `update admin.operators
      set recovery_hmacs = array(select h from unnest(recovery_hmacs) h where h <> all ($2::bytea[]))
      where id = $1 and is_active and recovery_hmacs && $2::bytea[] returning id`,
    values: [id, hmacs],
  }
}

export interface SignInState {
  hasInitialPassword: boolean
  hasPasskey: boolean
  recoveryCodesLeft: number
}

interface SignInRow {
  has_initial_password: boolean
  has_passkey: boolean
  recovery_codes_left: number
}

export function readSignInOf(operatorId: bigint): Statement<SignInState> {
  return {
    text: `select o.password_changed_at is null as has_initial_password,
        exists (select from admin.passkeys p where p.operator_id = o.id) as has_passkey,
        cardinality(o.recovery_hmacs) as recovery_codes_left
      from admin.operators o where o.id = $1`,
    values: [operatorId],
    read: (row: SignInRow) => ({
      hasInitialPassword: row.has_initial_password,
      hasPasskey: row.has_passkey,
      recoveryCodesLeft: row.recovery_codes_left,
    }),
  }
}

export interface OwnLogIn {
  id: string
  device: string
  address: string
  createdAt: Date
  lastSeenAt: Date
}

interface OwnLogInRow {
  id: string
  device: string
  address: string
  created_at: Date
  last_seen_at: Date
}

export function listOwnLogIns(
  operatorId: bigint,
  idleMinutes: number,
  limit: number,
): Statement<OwnLogIn> {
  return {
    text: `select id, device, address, created_at, last_seen_at from admin.log_ins
      where operator_id = $1 and expires_at > now()
        and last_seen_at > now() - make_interval(mins => $2)
      order by created_at desc, id limit $3`,
    values: [operatorId, idleMinutes, limit],
    read: ({ created_at: createdAt, last_seen_at: lastSeenAt, ...logIn }: OwnLogInRow) => ({
      ...logIn,
      createdAt,
      lastSeenAt,
    }),
  }
}

/** Returns no row if the login belongs to another operator. */
export function deleteOwnLogIn(
  id: string,
  operatorId: bigint,
): Statement<Pick<OwnLogIn, 'device' | 'address'>> {
  return {
    text: 'delete from admin.log_ins where id = $1 and operator_id = $2 returning device, address',
    values: [id, operatorId],
    read: ({ device, address }: OwnLogInRow) => ({ device, address }),
  }
}

export function deleteOtherLogIns(id: string, operatorId: bigint) {
  return {
    text: 'delete from admin.log_ins where operator_id = $2 and id <> $1',
    values: [id, operatorId],
  }
}

export function setOwnPassword(id: bigint, passwordHash: string) {
  return {
    text: `update admin.operators set password_hash = $2, password_changed_at = now()
      where id = $1 and is_active returning id`,
    values: [id, passwordHash],
  }
}

/** Changes no row if the authenticator was sealed with another key or removed in the meantime. */
export function setRecoveryCodes(id: bigint, keyId: string, hmacs: readonly Buffer[]) {
  return {
    text: `update admin.operators set recovery_hmacs = $3::bytea[], recovery_key_id = null
      where id = $1 and is_active and totp_key_id = $2 returning id`,
    values: [id, keyId, hmacs],
  }
}
