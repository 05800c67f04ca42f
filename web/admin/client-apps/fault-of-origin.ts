/** The server's rules for origins, told while they are typed. The server has the last word. */
import { words } from '../messages.ts'

export const ORIGINS_MAX = 50

export interface OriginFault {
  text: string
  /** How it would have to be written, where that can be told. */
  better?: string
}

export function faultOfOrigin(text: string, others: readonly string[]): OriginFault | undefined {
  const faults = words.origins
  if (others.length >= ORIGINS_MAX) return { text: faults.tooMany(ORIGINS_MAX) }
  if (text.includes('*')) return { text: faults.wildcard }
  if (!URL.canParse(text)) return explainNoAddress(text)
  const { origin, protocol, hostname } = new URL(text)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1'
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLocal)
  if (origin === 'null' || !hostname) return explainNoAddress(text)
  if (!isAllowed) return { text: faults.insecure }
  if (origin !== text) return { text: faults.inexact(origin), better: origin }
  if (others.includes(text)) return { text: faults.twice }
  return undefined
}

/** "shop.example" and "localhost:3000" lack nothing but the scheme. */
function explainNoAddress(text: string): OriginFault {
  const isBareHost = /^[\w-]+(\.[\w-]+)*(:\d+)?$/.test(text)
  const isLocal = /^(localhost|127\.0\.0\.1)(:|$)/.test(text)
  const address = `${isLocal ? 'http' : 'https'}://${text}`
  if (!isBareHost || !URL.canParse(address)) return { text: words.origins.noAddress }
  const better = new URL(address).origin
  return { text: words.origins.inexact(better), better }
}
