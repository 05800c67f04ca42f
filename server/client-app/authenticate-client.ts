import { hash, timingSafeEqual } from 'node:crypto'
import type { Config, NamedKey } from '../config.ts'
import { ServiceError } from '../service-error.ts'
import type { ClientApp, ClientAppCache, CachedSecret } from './client-app-cache.ts'
import { createNetworkCheck, type Restriction } from './restriction.ts'
import { hashSecret } from './secret.ts'

export interface Credentials {
  clientId: unknown
  clientSecret: unknown
}

/** Other text is not an id of ours and never reaches the database. */
const CLIENT_ID = /^app_[0-9a-f]{24}$/
/** No secret hashes to zeros. */
const NO_SECRET: CachedSecret = {
  id: '',
  hmac: Buffer.alloc(32),
  pepperId: '',
  renewedFrom: null,
  restriction: null,
  untilMs: Infinity,
}

/** Missing, unknown, wrong or inactive: the response is identical, and the secret is hashed in every case. */
export async function authenticateClient(
  clientApps: ClientAppCache,
  peppers: Config['peppers'],
  { clientId, clientSecret }: Credentials,
): Promise<ClientApp> {
  const id = typeof clientId === 'string' && CLIENT_ID.test(clientId) ? clientId : ''
  const secret = typeof clientSecret === 'string' && clientSecret.length <= 256 ? clientSecret : ''
  const found = id === '' ? undefined : clientApps.find(id)
  const app = found instanceof Promise ? await found : found
  const match = findMatchingSecret(app?.secrets ?? [], peppers, secret)
  if (app === undefined || match === undefined || !app.isActive) {
    throw new ServiceError('INVALID_CLIENT')
  }
  clientApps.recordUse(match.id)
  if (match.pepperId !== peppers[0].id) renewHash(clientApps, peppers[0], match, secret)
  return match.restriction ? (match.view ??= restrict(app, match.id, match.restriction)) : app
}

/** The app as its restricted secret sees it. */
function restrict(
  app: ClientApp,
  secretId: string,
  { name, scopes, networks }: Restriction,
): ClientApp {
  const isAllowedFrom = createNetworkCheck(networks)
  return { ...app, restriction: { secretId: BigInt(secretId), name, scopes, isAllowedFrom } }
}

/**
 * The secret is available in plain text only now, so its hash with the newest pepper is computed here; it is written
 * later, so that the request does not wait. A hash never returns to its previous pepper: another process already uses a
 * newer configuration.
 */
function renewHash(
  clientApps: ClientAppCache,
  pepper: NamedKey,
  secret: CachedSecret,
  text: string,
) {
  if (secret.isRenewing || secret.renewedFrom === pepper.id) return
  secret.isRenewing = true
  const { id: secretId, pepperId: from, restriction } = secret
  const hmac = hashSecret(pepper, text, restriction)
  clientApps.recordHash({ secretId, hmac, pepperId: pepper.id, from })
}

/** Computes at least one HMAC, unless the secret is known to be right: an unknown app takes as long as a wrong secret. */
function findMatchingSecret(
  secrets: readonly CachedSecret[],
  peppers: Config['peppers'],
  text: string,
): CachedSecret | undefined {
  const nowMs = performance.now()
  const live = secrets.filter((each) => each.untilMs > nowMs)
  // An attacker cannot choose the hash, so the time of this comparison reveals nothing.
  const quick = hash('sha256', text)
  for (const secret of live) if (secret.verifiedSha256 === quick) return secret
  let match: CachedSecret | undefined
  for (const secret of live.length > 0 ? live : [NO_SECRET]) {
    const pepper = peppers.find((each) => each.id === secret.pepperId) ?? peppers[0]
    if (!timingSafeEqual(hashSecret(pepper, text, secret.restriction), secret.hmac)) continue
    secret.verifiedSha256 = quick
    match = secret
  }
  return match
}
