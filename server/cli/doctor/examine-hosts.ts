/** Requests a page of each origin as a browser does: through DNS, TLS and the proxy. */
import { once } from 'node:events'
import { connect, type PeerCertificate } from 'node:tls'
import type { Config } from '../../config.ts'
import { error, ok, warning, type Finding } from './finding.ts'

const TIMEOUT_MS = 5_000
const DAY_MS = 24 * 60 * 60 * 1000
/** Certificates that are renewed automatically are renewed earlier. */
const EXPIRES_SOON_DAYS = 14

/** What the codes of failed connections mean. */
const REASONS: Record<string, string> = {
  ENOTFOUND: 'DNS has no address for this name',
  EAI_AGAIN: 'DNS does not respond',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'no response',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate was issued by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate was issued by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other names',
}

export async function examineHosts(config: Config): Promise<Finding[]> {
  const { publicOrigin, accountOrigin, adminOrigin, docsOrigin } = config
  const pages = [
    { name: 'PUBLIC_URL', origin: publicOrigin, path: '/widget/wallet' },
    { name: 'ACCOUNT_URL', origin: accountOrigin, path: '/account' },
    { name: 'ADMIN_URL', origin: adminOrigin, path: '/admin' },
    { name: 'DOCS_URL', origin: docsOrigin, path: '/docs' },
  ]
  const separate = pages.filter(
    ({ name, origin }) =>
      origin !== undefined && (name === 'PUBLIC_URL' || origin !== publicOrigin),
  )
  const findings = separate.map(async ({ name, origin = '', path }) => {
    const page = await examinePage(name, `${origin}${path}`)
    if (page.state !== 'ok' || !origin.startsWith('https:')) return [page]
    return [page, await examineCertificate(new URL(origin))]
  })
  return (await Promise.all(findings)).flat()
}

async function examinePage(name: string, url: string): Promise<Finding> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let reason: string
  try {
    const { headers, status } = await fetch(url, { signal, redirect: 'manual' })
    // Every response of the service has this header. 503: the page exists, but its area is not configured.
    const isOurs = headers.has('api-version')
    if (isOurs && (status === 200 || status === 503)) return ok(`${url} responds.`)
    reason = isOurs ? `status ${status}` : `status ${status} of another program`
  } catch (cause) {
    const { code = '' } = ((cause as Error).cause ?? {}) as NodeJS.ErrnoException
    reason = REASONS[code] ?? (code || 'no response')
  }
  return error(
    `${name} does not reach this service: ${url}, ${reason}.`,
    'Start the service, point the name at the proxy, add it to the certificate, and forward the Host header unchanged.',
  )
}

async function examineCertificate({ hostname, port }: URL): Promise<Finding> {
  // The page has been loaded over TLS, so the certificate is valid today.
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname })
  let certificate: PeerCertificate
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    certificate = socket.getPeerCertificate()
  } finally {
    socket.destroy()
  }
  const days = Math.floor((Date.parse(certificate.valid_to) - Date.now()) / DAY_MS)
  const text = `The certificate of ${hostname} expires in ${days} days.`
  return days >= EXPIRES_SOON_DAYS
    ? ok(text)
    : warning(text, 'Renew it, and check the timer that should renew it.')
}
