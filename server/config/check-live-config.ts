/** With live keys of the card processor there is real money. Then these settings must be safe. */
import { hasSeparateHosts } from './check-origins.ts'

interface Settings {
  DATABASE_URL: string
  TRUST_PROXY: string
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_PUBLISHABLE_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
  STRIPE_API_URL?: string | undefined
  STRIPE_SCRIPT_URL: string
  PUBLIC_URL?: string | undefined
  ACCOUNT_URL?: string | undefined
  ADMIN_URL?: string | undefined
  DOCS_URL?: string | undefined
  ALLOW_SINGLE_HOST: 'true' | 'false'
  ALLOW_LOOPBACK_WEBHOOKS: 'true' | 'false'
  SMTP_URL?: string | undefined
  SECRET_PEPPERS: readonly { id: string; key: Buffer }[]
  ADMIN_KEYS?: readonly { id: string; key: Buffer }[] | undefined
}

export interface Issue {
  name: keyof Settings
  message: string
}

/** Random secrets have more different bytes, and bytes that are not text. */
const DISTINCT_MIN = 16
const WEBHOOK_SECRET_MIN = 24
/** fc00::/7 is the largest private network; no deployment has more proxies. */
const PREFIX_MIN = 7

export function checkLiveConfig(settings: Settings): Issue[] {
  const { STRIPE_SECRET_KEY: key, STRIPE_PUBLISHABLE_KEY: publishable } = settings
  if (key === undefined || isTestKey(key)) return []
  const issues: Issue[] = []
  const require = (isMet: boolean, name: Issue['name'], message: string) => {
    if (!isMet) issues.push({ name, message: `${message} (STRIPE_SECRET_KEY is live)` })
  }
  const isHttps = (url: string | undefined) => url === undefined || url.startsWith('https://')
  require(settings.PUBLIC_URL?.startsWith('https://') ===
    true, 'PUBLIC_URL', 'must begin with https://')
  require(hasSeparateHosts(settings) ||
    settings.ALLOW_SINGLE_HOST ===
      'true', 'ADMIN_URL', 'must have a host of its own, and so must ACCOUNT_URL and DOCS_URL, none of them that of PUBLIC_URL. To use one host for several of them, set ALLOW_SINGLE_HOST=true')
  require(settings.SMTP_URL !== undefined, 'SMTP_URL', 'is missing: emails must be verified')
  require(!/[?&][^=]*tls/i.test(settings.SMTP_URL ?? ''), 'SMTP_URL', 'must not switch TLS off')
  require(settings.TRUST_PROXY !== 'true' &&
    !settings.TRUST_PROXY.split(',').some(
      isHuge,
    ), 'TRUST_PROXY', 'must list the IP addresses or networks of your proxies. Otherwise, callers can forge their IP address')
  require(isPrivate(
    settings.DATABASE_URL,
  ), 'DATABASE_URL', 'must end with sslmode=verify-full, because PostgreSQL is on another machine')
  require(settings.ALLOW_LOOPBACK_WEBHOOKS ===
    'false', 'ALLOW_LOOPBACK_WEBHOOKS', 'must be false: webhooks must not reach this machine')
  require(!isTestKey(publishable ?? ''), 'STRIPE_PUBLISHABLE_KEY', 'must be live')
  require(isHttps(settings.STRIPE_API_URL), 'STRIPE_API_URL', 'must begin with https://')
  require(isHttps(settings.STRIPE_SCRIPT_URL), 'STRIPE_SCRIPT_URL', 'must begin with https://')
  const { STRIPE_WEBHOOK_SECRET: webhookSecret = '' } = settings
  require(webhookSecret.length >=
    WEBHOOK_SECRET_MIN, 'STRIPE_WEBHOOK_SECRET', 'must be the signing secret of the live webhook endpoint, which is longer')
  for (const name of ['SECRET_PEPPERS', 'ADMIN_KEYS'] as const) {
    const weak = settings[name]?.filter((each) => !isRandom(each.key)).map(({ id }) => id) ?? []
    const ids = weak.join(', ')
    require(weak.length ===
      0, name, `must not contain the known or weak key ${ids}. Make one with openssl rand -base64 32`)
  }
  const peppers = settings.SECRET_PEPPERS.map(({ key: pepper }) => pepper.toString('hex'))
  const isShared = settings.ADMIN_KEYS?.some((each) => peppers.includes(each.key.toString('hex')))
  require(isShared !== true, 'ADMIN_KEYS', 'must differ from SECRET_PEPPERS')
  return issues
}

function isHuge(network: string): boolean {
  const bits = network.split('/')[1]
  return bits !== undefined && Number(bits) < PREFIX_MIN
}

/** Whether nobody can read the connection: it stays on this machine, or the server proves who it is. */
function isPrivate(databaseUrl: string): boolean {
  const { hostname, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  const isLocal = /^($|\/|localhost$|127\.\d+\.\d+\.\d+$|\[::1\]$)/.test(host)
  return isLocal || searchParams.get('sslmode') === 'verify-full'
}

function isTestKey(key: string): boolean {
  return /^(sk|rk|pk)_test_/.test(key)
}

/** Keys from examples are text or repeat a byte. */
function isRandom(key: Buffer): boolean {
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f)
  return !isText && new Set(key).size >= DISTINCT_MIN
}
