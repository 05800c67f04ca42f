import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'

const TRY_LATER_SECONDS = 60

/** Limits login attempts per address. They are counted separately from the logins of people. */
export function throttleLogIn({ throttles }: Pick<Context, 'throttles'>, address: string) {
  if (!throttles.mayLogIn(`admin ${address}`)) {
    throw new ServiceError('RATE_LIMITED', undefined, TRY_LATER_SECONDS)
  }
}
