import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { findPersonByEmail, type Person } from './queries.ts'
import type { Caller } from './queue-fairly.ts'
import { clearFailures, scopeOf, throttle } from './throttle-attempts.ts'

export type LogInTools = Pick<Context, 'db' | 'passwords' | 'config'>

/**
 * Checks email and password. An unknown email takes the same steps and the same time as a wrong password, and the
 * response is identical.
 */
export async function logIn(
  { db, passwords, config }: LogInTools,
  { email, password }: { email: string; password: string },
  caller: Caller,
): Promise<Person> {
  // If the password could not be hashed anyway, neither the database nor the person's attempts are used.
  passwords.requireCapacity(caller)
  const scope = scopeOf(config.peppers, caller)
  await throttle({ db, config }, 'log-in', email, scope)
  const person = await one(db, findPersonByEmail(email))
  const isRight = await passwords.isRight(password, person?.passwordHash, caller)
  if (person === undefined || !isRight) throw new ServiceError('LOGIN_FAILED')
  await clearFailures({ db, config }, 'log-in', email, scope)
  return person
}
