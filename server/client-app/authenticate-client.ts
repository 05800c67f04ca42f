import { hash, timingSafeEqual } from 'node:crypto'
import type { Config, Pepper } from '../config.ts'
import { ServiceError } from '../service-error.ts'
import type { ClientApp, RememberedClientApps, RememberedSecret } from './remember-client-apps.ts'
import { hashSecret } from './secret.ts'

export interface Credentials {
  clientId: unknown
  clientSecret: unknown
}

/** What is not shaped like an id of ours never reaches the database. */
const CLIENT_ID = /^app_[0-9a-f]{24}$/
/** Nothing hashes to zeros. */
const NOBODYS: RememberedSecret = {
  id: '',
  hmac: Buffer.alloc(32),
  pepperId: '',
  renewedFrom: null,
  untilMs: Infinity,
}

/** Missing, unknown, wrong or inactive: one identical answer, and the secret is hashed in every case. */
export async function authenticateClient(
  clientApps: RememberedClientApps,
  peppers: Config['peppers'],
  { clientId, clientSecret }: Credentials,
): Promise<ClientApp> {
  const id = typeof clientId === 'string' && CLIENT_ID.test(clientId) ? clientId : ''
  const secret = typeof clientSecret === 'string' && clientSecret.length <= 256 ? clientSecret : ''
  const found = id === '' ? undefined : clientApps.find(id)
  const app = found instanceof Promise ? await found : found
  const right = findRight(app?.secrets ?? [], peppers, secret)
  if (app === undefined || right === undefined || !app.isActive) {
    throw new ServiceError('INVALID_CLIENT')
  }
  clientApps.noteUse(right.id)
  if (right.pepperId !== peppers[0].id) renewHash(clientApps, peppers[0], right, secret)
  return app
}

/**
 * A secret is here in clear only now, so this is when its hash can be made with the newest pepper; it is written
 * later and nobody waits for it. Not back to the pepper that it came from: then another process is a step ahead.
 */
function renewHash(
  clientApps: RememberedClientApps,
  pepper: Pepper,
  secret: RememberedSecret,
  text: string,
) {
  if (secret.isRenewing || secret.renewedFrom === pepper.id) return
  secret.isRenewing = true
  const { id: secretId, pepperId: from } = secret
  clientApps.noteHash({ secretId, hmac: hashSecret(pepper, text), pepperId: pepper.id, from })
}

/** Costs at least one HMAC unless the secret is known to be right: an unknown app is as slow as a wrong secret. */
function findRight(
  secrets: readonly RememberedSecret[],
  peppers: Config['peppers'],
  text: string,
): RememberedSecret | undefined {
  const nowMs = performance.now()
  const live = secrets.filter((each) => each.untilMs > nowMs)
  // Whoever guesses cannot steer a hash, so how long two of them agree tells nothing.
  const quick = hash('sha256', text)
  for (const secret of live) if (secret.known === quick) return secret
  let right: RememberedSecret | undefined
  for (const secret of live.length > 0 ? live : [NOBODYS]) {
    const pepper = peppers.find((each) => each.id === secret.pepperId) ?? peppers[0]
    if (!timingSafeEqual(hashSecret(pepper, text), secret.hmac)) continue
    secret.known = quick
    right = secret
  }
  return right
}
