/** The restriction of a secret of a client app. */
import { z } from 'zod'
import { SECRET_SCOPES } from './endpoint.ts'
import { RESTRICTION_NETWORKS_MAX } from './limits.ts'

const IPV4 = z.cidrv4()
const IPV6 = z.cidrv6()
const NETWORK = 'a network such as 203.0.113.0/24 or 2001:db8::/48'

export const restriction = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,29}$/, {
      error: 'must be 1 to 30 lowercase letters, digits and hyphens, starting with a letter',
    })
    .describe('Identifies the secret. A rotation replaces the secret with the same name.'),
  scopes: z
    .array(z.enum(SECRET_SCOPES))
    .min(1, { error: 'must have at least one scope' })
    .max(SECRET_SCOPES.length)
    .describe('What the secret can do. The client app needs the matching scope, too.'),
  networks: z
    .array(
      z
        .string()
        .max(43)
        .refine((text) => isNetwork(text), { error: `must be ${NETWORK}` }),
    )
    .max(RESTRICTION_NETWORKS_MAX)
    .describe(`The networks that it works from, each ${NETWORK}. Empty: from anywhere.`),
})
export type Restriction = z.output<typeof restriction>

/** A prefix of 0 is rejected: it would allow every address, as an empty list does. */
function isNetwork(text: string): boolean {
  return (IPV4.safeParse(text).success || IPV6.safeParse(text).success) && !text.endsWith('/0')
}
