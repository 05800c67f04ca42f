import { TICKET_MINUTES } from '@coffer/contract/limits'
import { randomBytes } from 'node:crypto'
import { throttle } from '../../identity/throttle-attempts.ts'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import { generateSeed, writeTotpUri } from './authenticator-codes.ts'
import { insertTicket } from '../log-in-queries.ts'
import { findOperatorByEmail, type OperatorRow } from '../operator-queries.ts'
import { hashToken } from '../require-operator.ts'
import { sealSeed, type AdminKeys } from './seal-seed.ts'

export type LogInTools = Pick<Context, 'db' | 'passwords'> & { keys: AdminKeys }

interface NextStep {
  step: 'code' | 'enroll'
  ticket: string
  totpUri?: string
}

/** The first half. Who has no authenticator yet gets a seed for one, which counts when its first code was right. */
export async function logIn(
  tools: LogInTools,
  { email, password }: { email: string; password: string },
): Promise<NextStep> {
  const { db, keys } = tools
  const operator = await checkPassword(tools, email, password)
  const ticket = randomBytes(24).toString('base64url')
  const isEnrolled = operator.totp_seed !== null
  const seed = isEnrolled ? undefined : generateSeed()
  const sealed = seed && sealSeed(keys, operator.id, seed)
  await db.query(insertTicket(hashToken(ticket), operator.id, sealed, TICKET_MINUTES))
  if (seed === undefined) return { step: 'code', ticket }
  return { step: 'enroll', ticket, totpUri: writeTotpUri(seed, operator.email) }
}

/**
 * An e-mail that nobody has costs the same steps and the same time as a wrong password. The count is forgiven only
 * when the code was right too: else who knows the password could try codes without end.
 */
export async function checkPassword(
  { db, passwords }: LogInTools,
  email: string,
  password: string,
): Promise<OperatorRow> {
  await throttle(db, 'admin-log-in', email)
  const { rows } = await db.query<OperatorRow>(findOperatorByEmail(email))
  const [operator] = rows
  const isRight = await passwords.isRight(password, operator?.password_hash)
  if (operator === undefined || !isRight) throw new ServiceError('LOGIN_FAILED')
  return operator
}
