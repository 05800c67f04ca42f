/** Requests a page of each origin as a browser does: through DNS, TLS and the proxy. */
import { once } from 'node:events'
import { isIP } from 'node:net'
import { checkServerIdentity, connect, type DetailedPeerCertificate } from 'node:tls'
import type { Config } from '../../config.ts'
import { error, ok, warning, type Finding } from './finding.ts'

const TIMEOUT_MS = 5_000
const DAY_MS = 24 * 60 * 60 * 1000
/** certbot and Caddy renew a certificate 30 days before it expires. */
const RENEWED_DAYS = 21

/** What the codes of failed connections mean. */
const REASONS: Record<string, string> = {
  ENOTFOUND: 'DNS has no address for this name',
  EAI_AGAIN: 'DNS does not respond',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'no response',
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
    const certificate = origin.startsWith('https:')
      ? await examineCertificate(new URL(origin))
      : undefined
    // A browser shows no page then.
    if (certificate?.state === 'error') return [certificate]
    const page = await examinePage(name, `${origin}${path}`)
    return certificate === undefined ? [page] : [page, certificate]
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
    'Start the service and the proxy, point the name at the proxy, and forward the Host header unchanged.',
  )
}

/** undefined: nothing responds with TLS, which the request of the page reports. */
export async function examineCertificate({ hostname, port }: URL): Promise<Finding | undefined> {
  const host = hostname.replace(/^\[(.+)\]$/, '$1')
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) ? {} : { servername: host }),
    // To tell what is wrong with it; nothing is sent.
    rejectUnauthorized: false,
  })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TIMEOUT_MS) })
    return judge(host, socket.getPeerCertificate(true), socket.authorized)
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}

function judge(host: string, certificate: DetailedPeerCertificate, isTrusted: boolean): Finding {
  const [fromMs, toMs] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)]
  const name = `The certificate of ${host}`
  const renew =
    'Run certbot renew --dry-run on the machine of the proxy and read its message (docs/install.md, Certificates).'
  if (toMs <= Date.now()) {
    return error(
      `${name} expired on ${toDay(toMs)}.`,
      `Renew it, then reload the proxy: certbot renew, systemctl reload nginx. If that does not help: ${renew}`,
    )
  }
  if (fromMs > Date.now()) {
    return error(
      `${name} is not valid before ${toDay(fromMs)}.`,
      'Check the clock of this machine. If it is right, install a certificate that is valid now.',
    )
  }
  if (checkServerIdentity(host, certificate) !== undefined) {
    const names = certificate.subjectaltname?.replaceAll(/(DNS|IP Address):/g, '') ?? 'none'
    return error(
      `${name} is for other names: ${names}.`,
      `Request a certificate that contains ${host}, and reload the proxy (docs/install.md, Certificates).`,
    )
  }
  if (!isTrusted) {
    const isOwn = certificate.fingerprint256 === certificate.issuerCertificate.fingerprint256
    return error(
      `${name} ${isOwn ? 'is self-signed' : 'was issued by an authority that this machine does not know'}, so browsers refuse it.`,
      'Use a certificate of a public authority, with its chain (fullchain.pem; docs/install.md, Certificates). If all your users trust another authority, name its certificate in NODE_EXTRA_CA_CERTS.',
    )
  }
  const days = Math.floor((toMs - Date.now()) / DAY_MS)
  const text = `${name} expires in ${days} days.`
  return days >= RENEWED_DAYS
    ? ok(text)
    : warning(`${text} Its automatic renewal does not work: it should have been renewed.`, renew)
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
