import type { Language } from '@coffer/contract/languages'
import type { AuthStep } from '@coffer/contract/widget/widget'
import pg from 'pg'
import type { Context } from '../context.ts'
import { chooseMails } from '../mail/choose-mails.ts'
import { one } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { createServiceUser } from './create-service-user.ts'
import { findPersonByEmail, type NewPerson } from './queries.ts'
import type { Caller } from './queue-fairly.ts'
import { createLink } from './take-next-step.ts'
import { throttle } from './throttle-attempts.ts'
import { issueCode } from './ticket.ts'

export type SignUpTools = Pick<Context, 'db' | 'ledger' | 'passwords' | 'mailer' | 'config'>

export interface SignUpInput {
  firstName: string
  lastName: string
  email: string
  password: string
  challenge?: string | undefined
  /** Of the browser. */
  language: Language | null
}

/** Signs up in the widget of a client app, and links the new account to it. */
export async function signUp(
  tools: SignUpTools,
  clientAppId: bigint,
  input: SignUpInput,
  caller: Caller,
): Promise<AuthStep> {
  const begun = await beginSignUp(tools, clientAppId, input, caller)
  if ('ticket' in begun) return { step: 'verify', ticket: begun.ticket }
  return createLink(tools, { clientAppId, challenge: input.challenge }, begun.userId)
}

/**
 * With a mailer, the account is created when the person enters the code; only the owner of an email learns, by email,
 * that it is taken. Without a mailer, the account is created immediately. The caller has checked the password.
 * `clientAppId`: null at /account.
 */
export async function beginSignUp(
  tools: SignUpTools,
  clientAppId: bigint | null,
  input: SignUpInput,
  caller: Caller,
): Promise<{ ticket: string } | { userId: bigint }> {
  const { db, passwords, mailer } = tools
  if (mailer) await throttle(tools, 'mail', input.email)
  const passwordHash = await passwords.hash(input.password, caller)
  const person = { ...input, passwordHash }
  if (mailer === undefined) return { userId: (await createAccount(tools, person)).id }
  const owner = await one(db, findPersonByEmail(input.email))
  const isFree = owner === undefined
  const newTicket = { purpose: 'sign_up', clientAppId, ...person } as const
  const { ticket, code } = await issueCode(db, newTicket, isFree)
  const mails = chooseMails(owner?.language ?? input.language)
  mailer.send(input.email, isFree ? mails.verificationCode(code) : mails.alreadyRegistered())
  return { ticket }
}

/** The unique index decides between two concurrent sign-ups. */
export async function createAccount(tools: SignUpTools, person: NewPerson) {
  try {
    return await createServiceUser(tools, person)
  } catch (error) {
    const isTaken = error instanceof pg.DatabaseError && error.constraint === 'people_by_email'
    throw isTaken ? new ServiceError('EMAIL_TAKEN') : error
  }
}
