import { isIP, isIPv4 } from 'node:net'
import { z } from 'zod'

const ALLOWED =
  'must be false (no proxy), true (any proxy), or addresses and networks of proxies, comma-separated, such as 10.0.0.7,192.168.0.0/16'

export const trustProxy = z
  .string()
  .default('false')
  .refine((text) => ['true', 'false'].includes(text) || text.split(',').every(isNetwork), ALLOWED)

/** An address, or the first one of a network with the number of bits that are the same in all of its addresses. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...others] = text.trim().split('/')
  if (isIP(address) === 0 || others.length > 0) return false
  const most = isIPv4(address) ? 32 : 128
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most)
}
