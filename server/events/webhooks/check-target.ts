/**
 * Where webhooks may be sent to: only to public addresses, so that nobody uses the service to reach what is behind its
 * firewall. Every address that a name resolves to is checked, by the lookup of the connection itself, so a name cannot
 * resolve to another address later.
 */
import ipaddr from 'ipaddr.js'
import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

const HTTPS_PORT = 443
const UNPRIVILEGED = 1_024
const URL_MAX = 2_048
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<LookupAddress[]>

export const resolveName: Resolve = (name) => dns.promises.lookup(name, { all: true })

export interface Rules {
  /** For development: http to this machine. */
  allowsLoopback: boolean
  resolve: Resolve
}

/** What is wrong, as the end of a sentence that begins with "The URL". */
export class TargetRefused extends Error {}

/** Checks everything but the addresses of a name. */
export function checkUrl(text: string, { allowsLoopback }: Pick<Rules, 'allowsLoopback'>): URL {
  const url = URL.parse(text)
  if (url === null || url.href.length > URL_MAX) {
    throw new TargetRefused('must be an absolute URL such as https://shop.example/webhooks')
  }
  const host = hostOf(url)
  const isLocal = allowsLoopback && (host === 'localhost' || isLoopback(host))
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) {
    throw new TargetRefused('must begin with https://')
  }
  if (url.username || url.password) {
    throw new TargetRefused('must not contain a user name or a password')
  }
  if (url.hash) throw new TargetRefused('must not contain #')
  const port = Number(url.port || HTTPS_PORT)
  if (port !== HTTPS_PORT && port < UNPRIVILEGED) {
    throw new TargetRefused(`must have the port ${HTTPS_PORT} or one from ${UNPRIVILEGED}`)
  }
  if (isIP(host) !== 0) checkAddress(host, allowsLoopback)
  return url
}

/** Also resolves the name. Returns the URL as it is sent to, without spaces and control characters. */
export async function checkTarget(text: string, rules: Rules): Promise<string> {
  const url = checkUrl(text, rules)
  const host = hostOf(url)
  if (isIP(host) === 0) await resolvePublic(host, rules)
  return url.href
}

/** The lookup of a connection: it connects only to addresses that were checked. */
export function createLookup(rules: Rules): LookupFunction {
  const resolve = callbackify((name: string) => resolvePublic(name, rules))
  return (name, options: LookupOptions, done) => {
    resolve(name, (error, addresses) => {
      const [first] = error ? [] : addresses
      if (first === undefined) done(error, [])
      else if (options.all === true) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

async function resolvePublic(name: string, rules: Rules): Promise<LookupAddress[]> {
  const addresses = await rules.resolve(name).catch(() => [])
  if (addresses.length === 0)
    throw new TargetRefused(`must name a host that exists: ${name} does not resolve`)
  for (const { address } of addresses) checkAddress(address, rules.allowsLoopback)
  return addresses
}

function checkAddress(address: string, allowsLoopback: boolean): void {
  if (isPublic(address) || (allowsLoopback && isLoopback(address))) return
  throw new TargetRefused('must lead to a public address: this one is private or reserved')
}

/** An IPv4 address inside an IPv6 address (mapped, NAT64, 6to4, Teredo) is never public. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback'
}

/** Without the brackets of an IPv6 address and without the dot of a complete name. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}
