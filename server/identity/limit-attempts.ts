import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { type Caller, keysOf } from './queue-fairly.ts'

const LOG_IN_WAIT_SECONDS = 60
/** Approximately when the next attempt is allowed. */
const SIGN_UP_WAIT_SECONDS = 15 * 60

/** Operators are counted separately from people. */
type Kind = 'person' | 'operator'
const PREFIXES: Record<Kind, string> = { person: '', operator: 'admin ' }

/**
 * Limits attempts per network. A known browser has a second limit, that of its account, so that strangers in the same
 * network cannot make it wait. An attempt counts toward both limits and is allowed if either of them allows it. So
 * somebody with an old cookie cannot block the owner, and all browsers of one account share one limit. The same applies
 * to somebody who is logged in, and to whoever has a ticket: looking for an invented ticket costs little.
 */
export async function limitLogIns(
  { throttles }: Pick<Context, 'throttles'>,
  kind: Kind,
  caller: Caller,
): Promise<void> {
  const keys = keysOf(caller).map((key) => PREFIXES[kind] + key)
  const allowed = await Promise.all(keys.map(async (key) => throttles.mayLogIn(key)))
  if (!allowed.includes(true))
    throw new ServiceError('RATE_LIMITED', undefined, LOG_IN_WAIT_SECONDS)
}

/** In the widget and at /account together. */
export async function limitSignUps(
  { throttles }: Pick<Context, 'throttles'>,
  network: string,
): Promise<void> {
  const isAllowed = await throttles.maySignUp(network)
  if (!isAllowed) throw new ServiceError('RATE_LIMITED', undefined, SIGN_UP_WAIT_SECONDS)
}
