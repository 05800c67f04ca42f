import { timingSafeEqual } from 'node:crypto'
import type { Pepper } from '../config.ts'
import { ServiceError } from '../service-error.ts'
import type { ClientApp, RememberedClientApps } from './remember-client-apps.ts'
import { hashSecret } from './secret.ts'

export interface Credentials {
  clientId: unknown
  clientSecret: unknown
}

/** What is not shaped like an id of ours never reaches the database. */
const CLIENT_ID = /^app_[0-9a-f]{24}$/
const NOBODY = Buffer.alloc(32)

/** Missing, unknown, wrong or inactive: one identical answer, and the secret is hashed in every case. */
export async function authenticateClient(
  clientApps: RememberedClientApps,
  peppers: readonly [Pepper, ...Pepper[]],
  { clientId, clientSecret }: Credentials,
): Promise<ClientApp> {
  const id = typeof clientId === 'string' && CLIENT_ID.test(clientId) ? clientId : ''
  const secret = typeof clientSecret === 'string' && clientSecret.length <= 256 ? clientSecret : ''
  const found = id === '' ? undefined : clientApps.find(id)
  const app = found instanceof Promise ? await found : found
  const nowMs = performance.now()
  let matches = false
  for (const { hmac, pepperId, untilMs } of app?.secrets ?? []) {
    const pepper = peppers.find((each) => each.id === pepperId)
    if (pepper === undefined || untilMs <= nowMs) continue
    if (timingSafeEqual(hashSecret(pepper, secret), hmac)) matches = true
  }
  if (app === undefined) timingSafeEqual(hashSecret(peppers[0], secret), NOBODY)
  if (app === undefined || !matches || !app.isActive) throw new ServiceError('INVALID_CLIENT')
  return app
}
