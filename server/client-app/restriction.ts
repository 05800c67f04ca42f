/** A restricted secret can do a part of what its client app can do, and only from certain networks if any are named. */
import { SECRET_SCOPES, type Endpoint } from '@coffer/contract/endpoint'
import type { Restriction } from '@coffer/contract/restriction'
import { BlockList, isIP } from 'node:net'
import { ServiceError } from '../service-error.ts'
import type { ClientApp } from './client-app-cache.ts'

export type { Restriction }

/** The same value for the same restriction, whatever the order of its lists is. */
export function normalize({ name, scopes, networks }: Restriction): Restriction {
  const ordered = SECRET_SCOPES.filter((each) => scopes.includes(each))
  const unique = [...new Set(networks.map((each) => each.toLowerCase()))]
  return { name, scopes: ordered, networks: unique.toSorted() }
}

export function writeRestriction(restriction: Restriction): string {
  return JSON.stringify(normalize(restriction))
}

/** For operators and for the contacts of the app. */
export function describeRestriction({ name, scopes, networks }: Restriction): string {
  const from = networks.length === 0 ? 'from anywhere' : `from ${networks.join(', ')}`
  return `Restricted secret "${name}": ${scopes.join(', ')}, ${from}.`
}

/** Whether an address belongs to the networks. */
export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => true
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const isIPv6 = isIP(address) === 6
    list.addSubnet(address, Number(bits ?? (isIPv6 ? 128 : 32)), isIPv6 ? 'ipv6' : 'ipv4')
  }
  return (address) => {
    // The zone of a link-local address names an interface of this machine.
    const [bare = ''] = address.split('%')
    const version = isIP(bare)
    return version !== 0 && list.check(bare, version === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Throws unless the client app may call the endpoint and the secret that it used allows it. */
export function requireScope(
  { scopes, restriction }: Pick<ClientApp, 'scopes' | 'restriction'>,
  {
    scope,
    secretScopes = [],
    requiresRestrictedSecret,
  }: Pick<Endpoint, 'scope' | 'secretScopes' | 'requiresRestrictedSecret'>,
): void {
  if (scope && !scopes.includes(scope)) throw new ServiceError('INSUFFICIENT_SCOPE')
  const isAllowed = restriction
    ? secretScopes.some((each) => restriction.scopes.includes(each))
    : !requiresRestrictedSecret
  if (!isAllowed) throw new ServiceError('SECRET_RESTRICTED')
}
