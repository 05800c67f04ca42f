import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { findPersonByEmail, type PersonRow } from './queries.ts'
import { forgive, throttle } from './throttle-attempts.ts'

export type LogInTools = Pick<Context, 'db' | 'passwords'>

/**
 * Who this is. An e-mail that nobody has costs the same steps and the same time as a wrong password, and the answer
 * is the same to the byte.
 */
export async function logIn(
  { db, passwords }: LogInTools,
  email: string,
  password: string,
): Promise<PersonRow> {
  // What could not be hashed anyway costs neither the database nor the person's tries.
  passwords.requireRoom()
  await throttle(db, 'log-in', email)
  const { rows } = await db.query<PersonRow>(findPersonByEmail(email))
  const [person] = rows
  const isRight = await passwords.isRight(password, person?.password_hash)
  if (person === undefined || !isRight) throw new ServiceError('LOGIN_FAILED')
  await forgive(db, 'log-in', email)
  return person
}
