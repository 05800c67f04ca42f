import type { Config } from '../config.ts'
import { createRateLimit } from '../http/rate-limit.ts'

/** The cheapest check of all, before the database and the hashing: how often one address may knock. */
export interface Throttles {
  mayLogIn: (address: string) => boolean
  maySignUp: (address: string) => boolean
}

export function createThrottles(config: Config): Throttles {
  return {
    mayLogIn: createRateLimit(config.logInsPerMinute, 60),
    maySignUp: createRateLimit(config.signUpsPerHour, 3600),
  }
}
