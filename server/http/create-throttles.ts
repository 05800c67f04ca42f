import type { Config } from '../config.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'

/** Every rate limit of a process. All modules share them, so that one key has one limit wherever it is used. */
export interface Throttles {
  /** By client id: APP_REQUESTS_PER_SECOND. */
  mayCallServerApi: RateLimit
  /** By client id: SESSIONS_PER_SECOND. */
  mayCreateSession: RateLimit
  /** By session token, for wallet and top-up together: WIDGET_REQUESTS_PER_SECOND. */
  mayCallWidgetApi: RateLimit
  /** By person: also WIDGET_REQUESTS_PER_SECOND. */
  mayCallAccountApi: RateLimit
  /** By operator: also WIDGET_REQUESTS_PER_SECOND. */
  mayCallAdminApi: RateLimit
  /** By network address, before the database and the hashing: LOG_INS_PER_MINUTE. */
  mayLogIn: RateLimit
  /** By network address: SIGN_UPS_PER_HOUR. */
  maySignUp: RateLimit
}

export function createThrottles(config: Config): Throttles {
  return {
    mayCallServerApi: createRateLimit(config.appRequestsPerSecond),
    mayCreateSession: createRateLimit(config.sessionsPerSecond),
    mayCallWidgetApi: createRateLimit(config.widgetRequestsPerSecond),
    mayCallAccountApi: createRateLimit(config.widgetRequestsPerSecond),
    mayCallAdminApi: createRateLimit(config.widgetRequestsPerSecond),
    mayLogIn: createRateLimit(config.logInsPerMinute, 60),
    maySignUp: createRateLimit(config.signUpsPerHour, 3600),
  }
}
