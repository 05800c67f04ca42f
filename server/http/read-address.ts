/** The network address of a client, and the network by which its requests are counted. */
import type { FastifyRequest } from 'fastify'
import { isIP, isIPv4 } from 'node:net'

const GROUPS = 8
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
  const groups = readGroups(bare)
  return findMappedIPv4(groups) ?? `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** The /48 of an IPv6 network, also if other words precede it; undefined for everything else. */
export function findSite(network: string): string | undefined {
  const found = /^(.* )?([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(network)
  return found === null ? undefined : `${found[1] ?? ''}${found[2]}::/48`
}

/** URL writes an IPv6 address in its shortest form, in which only one :: remains to be expanded. */
function readGroups(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail].map((part) => (part === '' ? [] : part.split(':')))
  const [left, right] = [first ?? [], last ?? []]
  const zeros = Array.from({ length: GROUPS - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right]
}

/** A socket that accepts both versions reports IPv4 clients as ::ffff:192.0.2.1. */
function findMappedIPv4(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 255]
  })
  const address = bytes.join('.')
  return isIPv4(address) ? address : undefined
}
