/**
 * ACCOUNT_URL, ADMIN_URL and DOCS_URL separate the pages from each other. These rules exclude settings that look
 * separate and are not.
 */

interface Settings {
  PUBLIC_URL?: string | undefined
  ACCOUNT_URL?: string | undefined
  ADMIN_URL?: string | undefined
  DOCS_URL?: string | undefined
  PASSKEY_RP_ID?: string | undefined
  ACCOUNT_PASSKEY_RP_ID?: string | undefined
  ALLOW_HTTP_LOGIN: 'true' | 'false'
}

const AREAS = ['ACCOUNT_URL', 'ADMIN_URL', 'DOCS_URL'] as const

interface Issue {
  name: keyof Settings
  message: string
}

export function checkOrigins(settings: Settings): Issue[] {
  return [...checkAreas(settings), ...checkPasskeys(settings), ...checkHttpLogin(settings)]
}

function checkHttpLogin({ PUBLIC_URL, ALLOW_HTTP_LOGIN }: Settings): Issue[] {
  if (ALLOW_HTTP_LOGIN === 'false' || !PUBLIC_URL?.startsWith('https://')) return []
  return [{ name: 'ALLOW_HTTP_LOGIN', message: 'must not be true, because PUBLIC_URL is https://' }]
}

/** Whether each of the four URLs has a host of its own. */
export function hasSeparateHosts(settings: Omit<Settings, 'ALLOW_HTTP_LOGIN'>): boolean {
  const hosts = [settings.PUBLIC_URL, ...AREAS.map((name) => settings[name])].map(hostOf)
  return hosts.every((host) => host !== undefined) && new Set(hosts).size === hosts.length
}

function checkAreas(settings: Settings): Issue[] {
  const issues: Issue[] = []
  const origins = new Map<string, string>()
  const main = parse(settings.PUBLIC_URL)
  if (main) origins.set(main.hostname, main.origin)
  for (const name of AREAS) {
    const area = parse(settings[name])
    if (area === null) continue
    const { protocol, hostname, origin } = area
    const other = origins.get(hostname) ?? origin
    origins.set(hostname, origin)
    if (settings.PUBLIC_URL === undefined) {
      issues.push({ name, message: 'requires PUBLIC_URL' })
    } else if (protocol !== main?.protocol) {
      issues.push({ name, message: 'must begin with the same scheme as PUBLIC_URL' })
    } else if (other !== origin) {
      const message = `must have another host than ${other}, not only another port: browsers send cookies to all ports of a host`
      issues.push({ name, message })
    }
  }
  return issues
}

/** Another domain would make all passkeys unusable, so it never changes as a side effect of ADMIN_URL. */
function checkPasskeys(settings: Settings): Issue[] {
  const { PUBLIC_URL, ADMIN_URL, ACCOUNT_URL } = settings
  const issues = [
    ...checkDomain(settings, 'PASSKEY_RP_ID', ADMIN_URL ?? PUBLIC_URL),
    ...checkDomain(settings, 'ACCOUNT_PASSKEY_RP_ID', ACCOUNT_URL ?? PUBLIC_URL),
  ]
  const host = hostOf(ADMIN_URL)
  if (settings.PASSKEY_RP_ID === undefined && host !== undefined && host !== hostOf(PUBLIC_URL)) {
    const message = `is missing. It is the domain of the operators' passkeys. If ${host} is a subdomain of ${hostOf(PUBLIC_URL)}, use ${hostOf(PUBLIC_URL)} to keep existing passkeys. Otherwise use ${host}; operators must then add new passkeys`
    issues.push({ name: 'PASSKEY_RP_ID', message })
  }
  return issues
}

function checkDomain(
  settings: Settings,
  name: 'PASSKEY_RP_ID' | 'ACCOUNT_PASSKEY_RP_ID',
  url: string | undefined,
): Issue[] {
  const host = hostOf(url) ?? 'localhost'
  const id = settings[name]
  const fits = id === undefined || host === id || host.endsWith(`.${id}`)
  return fits ? [] : [{ name, message: `must be ${host} or a domain above it` }]
}

export function readOrigins(settings: Omit<Settings, 'ALLOW_HTTP_LOGIN'>) {
  const { PUBLIC_URL } = settings
  const originOf = (url = PUBLIC_URL) => url && new URL(url).origin
  return {
    publicOrigin: originOf(),
    accountOrigin: originOf(settings.ACCOUNT_URL),
    adminOrigin: originOf(settings.ADMIN_URL),
    docsOrigin: originOf(settings.DOCS_URL),
  }
}

function hostOf(url: string | undefined): string | undefined {
  return parse(url)?.hostname
}

/** null: it is not set, or is reported as invalid elsewhere. */
function parse(url: string | undefined): URL | null {
  return url === undefined ? null : URL.parse(url)
}
