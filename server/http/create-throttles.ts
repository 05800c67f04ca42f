import type pg from 'pg'
import type { Config } from '../config.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import { findSite } from './read-address.ts'
import {
  shareRateLimit,
  type SharedLimitOptions,
  type SharedRateLimit,
} from './share-rate-limit.ts'

/**
 * Every rate limit. All modules share them, so that one key has one limit wherever it is used. Those against guessing
 * are shared by all processes, too.
 */
export interface Throttles {
  /** By client id: APP_REQUESTS_PER_SECOND. */
  mayCallServerApi: RateLimit
  /** By client id: SESSIONS_PER_SECOND. */
  mayCreateSession: RateLimit
  /** By client id: changes and tests of webhooks, 30 per 10 minutes. */
  mayManageWebhooks: RateLimit
  /** By session token, for wallet and top-up together: WIDGET_REQUESTS_PER_SECOND. */
  mayCallWidgetApi: RateLimit
  /** By person: also WIDGET_REQUESTS_PER_SECOND. */
  mayCallAccountApi: RateLimit
  /** By operator: also WIDGET_REQUESTS_PER_SECOND. */
  mayCallAdminApi: RateLimit
  /** By network or known device, before the hashing: LOG_INS_PER_MINUTE, in all processes together. */
  mayLogIn: SharedRateLimit
  /** By network: SIGN_UPS_PER_HOUR, in all processes together. */
  maySignUp: SharedRateLimit
  /**
   * By client app, for the calls of Stripe that its users cause: STRIPE_CALLS_PER_SECOND, in all processes together.
   */
  mayAppCallStripe: SharedRateLimit
  /** By person and client app: a twentieth of it, after the first few. */
  mayPersonCallStripe: SharedRateLimit
}

export function createThrottles(config: Config, db: pg.Pool): Throttles {
  const [pepper] = config.peppers
  return {
    mayCallServerApi: createRateLimit(config.appRequestsPerSecond),
    mayCreateSession: createRateLimit(config.sessionsPerSecond),
    mayManageWebhooks: createRateLimit(30, 600),
    mayCallWidgetApi: createRateLimit(config.widgetRequestsPerSecond),
    mayCallAccountApi: createRateLimit(config.widgetRequestsPerSecond),
    mayCallAdminApi: createRateLimit(config.widgetRequestsPerSecond),
    mayLogIn: limitSites({
      db,
      pepper,
      name: 'log-in',
      count: config.logInsPerMinute,
      seconds: 60,
      isFirstFree: true,
    }),
    maySignUp: limitSites({
      db,
      pepper,
      name: 'sign-up',
      count: config.signUpsPerHour,
      seconds: 3600,
      isFirstFree: false,
    }),
    mayAppCallStripe: shareRateLimit({
      db,
      pepper,
      name: 'stripe-app',
      count: config.stripeCallsPerSecond,
      seconds: 1,
      isFirstFree: true,
    }),
    mayPersonCallStripe: shareRateLimit({
      db,
      pepper,
      name: 'stripe-person',
      count: Math.ceil(config.stripeCallsPerSecond / 4),
      seconds: 5,
      isFirstFree: true,
    }),
  }
}

/** The limit of a /48, as a multiple of the limit of one network in it. */
const SITE_TIMES = 16

/**
 * One customer can have a /48 with 65 536 networks, so these are counted together, too. Others may share it: only calls
 * that the limit of their network allows count.
 */
function limitSites(options: SharedLimitOptions): SharedRateLimit {
  const { name, count } = options
  const mayNetwork = shareRateLimit(options)
  const maySite = shareRateLimit({ ...options, name: `${name}-site`, count: count * SITE_TIMES })
  return (key) => {
    const site = findSite(key)
    const isAllowed = mayNetwork(key)
    return site === undefined ? isAllowed : inBoth(isAllowed, () => maySite(site))
  }
}

async function inBoth(
  isAllowed: boolean | Promise<boolean>,
  mayOther: () => boolean | Promise<boolean>,
): Promise<boolean> {
  return (await isAllowed) && (await mayOther())
}
