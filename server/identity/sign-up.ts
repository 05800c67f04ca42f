import type { AuthStep } from '@coffer/contract/widget-api'
import pg from 'pg'
import type { Context } from '../context.ts'
import { alreadyRegistered, verificationCode } from '../mail/messages.ts'
import { ServiceError } from '../service-error.ts'
import { createServiceUser } from './create-service-user.ts'
import { findPersonByEmail, type Person } from './queries.ts'
import { makeLink } from './take-next-step.ts'
import { throttle } from './throttle-attempts.ts'
import { issueCode } from './ticket.ts'

export type SignUpTools = Pick<Context, 'db' | 'ledger' | 'passwords' | 'mailer' | 'config'>

export interface SignUpInput {
  firstName: string
  lastName: string
  email: string
  password: string
}

/**
 * With a mailer the account is made when the code comes back; whether the e-mail is taken is told to its owner only,
 * by e-mail. Without one there is no owner to ask: the account is made at once. The password is one that was checked.
 */
export async function signUp(
  tools: SignUpTools,
  clientAppId: bigint,
  input: SignUpInput,
): Promise<AuthStep> {
  const { db, passwords, mailer } = tools
  if (mailer) await throttle(db, 'mail', input.email)
  const passwordHash = await passwords.hash(input.password)
  const person = { ...input, passwordHash }
  if (mailer === undefined) {
    const user = await createAccount(tools, person)
    return makeLink(tools, clientAppId, user.id)
  }
  const { rows } = await db.query(findPersonByEmail(input.email))
  const isFree = rows.length === 0
  const asked = { purpose: 'sign_up', clientAppId, ...person } as const
  const { ticket, code } = await issueCode(db, asked, isFree)
  mailer.send(input.email, isFree ? verificationCode(code) : alreadyRegistered())
  return { step: 'verify', ticket }
}

/** The unique index decides between two who sign up at once. */
export async function createAccount(tools: SignUpTools, person: Person) {
  try {
    return await createServiceUser(tools, person)
  } catch (error) {
    const isTaken = error instanceof pg.DatabaseError && error.constraint === 'people_by_email'
    throw isTaken ? new ServiceError('EMAIL_TAKEN') : error
  }
}
