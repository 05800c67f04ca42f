import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'

/** Approximately when the next attempt is allowed. */
const WAIT_SECONDS = 15 * 60

/** In the widget and at /account together. */
export async function limitSignUps(
  { throttles }: Pick<Context, 'throttles'>,
  network: string,
): Promise<void> {
  const isAllowed = await throttles.maySignUp(network)
  if (!isAllowed) throw new ServiceError('RATE_LIMITED', undefined, WAIT_SECONDS)
}
