import { TICKET_MINUTES } from '@coffer/contract/limits'
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { one, run } from '../../database/statement.ts'
import type { Caller } from '../../identity/queue-fairly.ts'
import { scopeOf, throttle } from '../../identity/throttle-attempts.ts'
import { ServiceError } from '../../service-error.ts'
import { hashToken } from '../require-operator.ts'
import { sealSeed, type AdminKeys } from '../seal-seed.ts'
import { generateSeed, writeTotpUri } from './authenticator-codes.ts'
import { findOperatorByEmail, insertTicket, type Operator } from './queries.ts'
import { recordFailedLogIn } from './record-failed-log-in.ts'

export type LogInTools = Pick<Context, 'db' | 'passwords' | 'config'> & { keys: AdminKeys }

interface NextStep {
  step: 'code' | 'enroll'
  ticket: string
  totpUri?: string
}

/**
 * The first step of a login. An operator without an authenticator gets a seed for one, which is stored when the first
 * code is correct.
 */
export async function logIn(
  tools: LogInTools,
  credentials: { email: string; password: string },
  caller: Caller & { address: string },
): Promise<NextStep> {
  const { db, keys } = tools
  const operator = await checkPassword(tools, credentials, caller)
  const ticket = randomBytes(24).toString('base64url')
  const seed = operator.seed ? undefined : generateSeed()
  const sealed = seed && sealSeed(keys, operator.id, seed)
  await run(db, insertTicket(hashToken(ticket), operator.id, sealed, TICKET_MINUTES))
  if (seed === undefined) return { step: 'code', ticket }
  return { step: 'enroll', ticket, totpUri: writeTotpUri(seed, operator.email) }
}

/**
 * An unknown email takes the same steps and the same time as a wrong password. The attempts are reset only when the
 * code is correct too: otherwise anyone who knows the password could try codes without limit.
 */
export async function checkPassword(
  { db, passwords, config }: LogInTools,
  { email, password }: { email: string; password: string },
  caller: Caller & { address: string },
): Promise<Operator> {
  passwords.requireCapacity(caller)
  await throttle({ db, config }, 'admin-log-in', email, scopeOf(config.peppers, caller))
  const operator = await one(db, findOperatorByEmail(email))
  const isRight = await passwords.isRight(password, operator?.passwordHash, caller)
  if (operator === undefined || !isRight) {
    await recordFailedLogIn(db, operator, caller.address, 'password')
    throw new ServiceError('LOGIN_FAILED')
  }
  return operator
}
