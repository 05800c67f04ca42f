import type { Context } from '../../context.ts'
import { keyOf, type Caller } from '../../identity/queue-fairly.ts'
import { ServiceError } from '../../service-error.ts'

const TRY_LATER_SECONDS = 60

/** Limits login attempts per network or known device. They are counted separately from the logins of people. */
export async function throttleLogIn(
  { throttles }: Pick<Context, 'throttles'>,
  caller: Caller,
): Promise<void> {
  if (!(await throttles.mayLogIn(`admin ${keyOf(caller)}`))) {
    throw new ServiceError('RATE_LIMITED', undefined, TRY_LATER_SECONDS)
  }
}
