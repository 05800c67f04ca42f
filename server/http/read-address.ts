/** The network address of a client, and the network by which its requests are counted. */
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { isIP } from 'node:net'

/** Of an IPv6 address. A home or a server usually gets a whole /64 and can use any address in it. */
const NETWORK_GROUPS = 4

/**
 * If every proxy is trusted, the client controls the reported address. If it is not an IP address, the address of the
 * connection counts.
 */
export function readAddress({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return isIP(ip) ? ip : (socket.remoteAddress ?? '')
}

/** An IPv4 address, or the /64 of an IPv6 address. Each spelling of an address returns the same text. */
export function findNetwork(address: string): string {
  const [bare = ''] = address.split('%')
  if (isIP(bare) !== 6) return bare
  // URL writes ::192.0.2.7 as ::c000:207, because ipaddr.js takes the former for ::ffff:192.0.2.7.
  const { hostname } = new URL(`http://[${bare}]`)
  const parsed = ipaddr.process(hostname.slice(1, -1))
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.toNormalizedString().split(':').slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** The /48 of an IPv6 network, also if other words precede it; undefined for everything else. */
export function findSite(network: string): string | undefined {
  const found = /^(.* )?([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(network)
  return found === null ? undefined : `${found[1] ?? ''}${found[2]}::/48`
}
