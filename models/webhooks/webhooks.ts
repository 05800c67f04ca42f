/** Events, their feed, webhooks and deliveries. */
import type { Model } from '../check-model.ts'
import { ANSWER_NAMES } from './answers.ts'
import { PLAN, RARE, type Plan } from './commands.ts'
import { play } from './play.ts'
import { openSetup } from './setup.ts'

const OWN = '/api/server/webhooks'
const ADMIN = '/api/admin/webhooks'

/** The answers of the calls that manage webhooks, for an app and for an operator. */
const CALLS = [
  ...['ok', 'INVALID_REQUEST', 'SECRET_RESTRICTED', 'INVALID_CLIENT', 'WEBHOOK_LIMIT'].map(
    (answer) => `${OWN} ${answer}`,
  ),
  ...['change', 'delete', 'rotate', 'test', 'resend', 'deliveries'].flatMap((path) => [
    `${OWN}/${path} ok`,
    `${OWN}/${path} NOT_FOUND`,
    `${ADMIN}/${path} ok by operator`,
    `${ADMIN}/${path} NOT_FOUND by operator`,
  ]),
  `${OWN}/rotate RATE_LIMITED`,
  `${OWN}/resend INVALID_REQUEST`,
  `${ADMIN} ok by operator`,
  `${ADMIN} INVALID_REQUEST by operator`,
  `${ADMIN} OPERATOR_FORBIDDEN by operator`,
  `${ADMIN} WEBHOOK_LIMIT by operator`,
  '/api/admin/grants/approve ok by operator',
  '/api/admin/grants/approve SECOND_OPERATOR_REQUIRED by operator',
  '/api/server/events ok',
  '/api/server/events CURSOR_EXPIRED',
  '/api/server/events INVALID_REQUEST',
]

const MUST_HIT = [
  ...CALLS,
  ...ANSWER_NAMES.map((name) => `answered ${name}`),
  ...['switched_off', 'gone', 'failing', 'secret_ended'].map((reason) => `enabled after ${reason}`),
  'link.created',
  'link.ended',
  'wallet.frozen',
  'wallet.unfrozen',
  'hold.expired',
  'the rest of a captured hold expired',
  'balance.changed',
  'an app learns the balance after its hold expired',
  'client_app.changed',
  'client_app.secret_rotated',
  'disabled gone',
  'disabled failing',
  'disabled secret_ended',
  'a new app',
  'a new URL waits',
  'a new URL was approved',
  'deleted twice',
  'resent by event',
  'resent by since',
  'two signatures',
  'it rests',
  'killed after sending',
  'events were deleted',
  'a filtered feed ends with another type',
  'wait',
]

export const MODEL: Model<Plan> = {
  name: 'webhooks',
  plan: PLAN,
  async open(hit) {
    const setup = await openSetup()
    return {
      play: (plan, note) => play(setup, plan, { hit, note }),
      close: () => setup.close(),
    }
  },
  mustHit: MUST_HIT,
  plans: 80,
  first: RARE,
}
