import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'

const TRY_LATER_SECONDS = 60

/** How often one address may knock; counted apart from people's log-ins. */
export function passDoor({ throttles }: Pick<Context, 'throttles'>, address: string) {
  if (!throttles.mayLogIn(`admin ${address}`)) {
    throw new ServiceError('RATE_LIMITED', undefined, TRY_LATER_SECONDS)
  }
}
